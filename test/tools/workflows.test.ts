/** What builds and starts the service elsewhere, and cannot be run here: read, and compared with what is here. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

describe('compose.image.yaml', () => {
  it('starts what compose.yaml does, from an image that somebody else has built', () => {
    const [built, fetched] = ['compose.yaml', 'compose.image.yaml'].map((path) =>
      JSON.parse(JSON.stringify(parse(read(path), { merge: true }))),
    )
    for (const service of [fetched['x-watchword'], ...['migrate', 'serve', 'worker'].map((n) => fetched.services[n])]) {
      expect(service.build).toBeUndefined()
      expect(service.image).toMatch(/^\$\{WATCHWORD_IMAGE:\?/)
      service.image = undefined
    }
    for (const service of [built['x-watchword'], ...['migrate', 'serve', 'worker'].map((n) => built.services[n])]) {
      expect(service.build.context).toBe('.')
      Object.assign(service, { image: undefined, build: undefined })
    }
    expect(fetched).toEqual(built)
  })
})

describe('the workflows', () => {
  interface Job {
    permissions?: Record<string, string>
    steps: { uses?: string; run?: string; with?: Record<string, unknown> }[]
  }
  const files = globSync('.github/workflows/*.yaml', { cwd: root })
  const workflows = files.map((file) => parse(read(file)) as { permissions: object; jobs: Record<string, Job> })
  const steps = workflows.flatMap(({ jobs }) => Object.values(jobs).flatMap((job) => job.steps))
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

  it('may read the code, and only what publishes may write', () => {
    expect(files.map((file) => basename(file)).toSorted()).toEqual(['ci.yaml', 'release.yaml'])
    for (const { permissions } of workflows) expect(permissions).toEqual({ contents: 'read' })
    const rights = Object.fromEntries(
      workflows.flatMap(({ jobs }) => Object.entries(jobs).map(([name, { permissions }]) => [name, permissions])),
    )
    expect(rights).toEqual({
      ci: undefined,
      audit: undefined,
      package: { contents: 'write', 'id-token': 'write', attestations: 'write' },
      image: { contents: 'read', packages: 'write' },
    })
  })

  it('use actions of one version each, and leave no token in the checkout', () => {
    const used = steps.flatMap(({ uses }) => uses ?? [])
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@v\d+\.\d+\.\d+$/)
    for (const step of steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')))
      expect(step.with).toMatchObject({ 'persist-credentials': false })
  })

  it('run scripts that there are', () => {
    const commands = steps.flatMap(({ run: text }) => text?.split('\n') ?? [])
    expect(commands).toContain('.ci/run')
    const named = commands.flatMap((line) => Array.from(line.matchAll(/npm run (\S+)/g), ([, name]) => name!))
    expect(named.length).toBeGreaterThan(0)
    for (const name of named) expect(Object.keys(scripts)).toContain(name)
  })

  it('builds the image for both processors, with what it is made of and where it comes from', () => {
    const build = steps.find(({ uses }) => uses?.startsWith('docker/build-push-action@'))?.with
    expect(build).toMatchObject({ platforms: 'linux/amd64,linux/arm64', sbom: true, provenance: 'mode=max' })
    const declared = Array.from(read('Dockerfile').matchAll(/^ARG (\w+)=/gm), ([, name]) => name)
    const given = Array.from(String(build?.['build-args']).matchAll(/^(\w+)=/gm), ([, name]) => name)
    expect(given).toEqual(declared)
  })
})
