/** The contract that the deployment publishes, and what it answers outside of it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { contract } from '../../../src/contract/document.ts'
import { ownBreaks } from '../../contract/ownFacts.ts'
import { type Contract, redocly } from '../../contract/redocly.ts'
import type { Suite } from '../check.ts'
import type { Deployment } from '../deployment.ts'
import { Broken, demand, demandSame, NotTried } from '../finding.ts'
import { refersElsewhere, unfolded } from '../references.ts'

/** As many of its breaks as are named. */
const breaksMax = 5

interface Published {
  openapi: string
  info: { version: string }
  paths: object
}

export const published: Suite = {
  name: 'contract',
  checks: [
    {
      title: 'the contract that it publishes keeps what this one promises',
      run: async (deployment) => {
        const theirs = await publishedBy(deployment)
        const [version, own] = [majorOf(theirs.info.version), majorOf(contract.info.version)]
        demandSame(version, own, 'the major version of /openapi.json')
        const { 'x-generated': _note, ...ours } = contract
        // Where it is found, each deployment says for itself.
        const compared = { ...theirs, servers: ours.servers }
        if (isDeepStrictEqual(compared, ours)) return
        const breaks = [...(await findBreaks(compared)), ...findOwnBreaks(compared)]
        if (breaks.length === 0) return
        const what = `/openapi.json is ${theirs.info.version} and breaks ${contract.info.version}:`
        throw new Broken([what, ...breaks.slice(0, breaksMax)])
      },
    },
    {
      title: 'a path that the contract does not have is answered 404 route_not_found',
      run: async ({ askFor }) => {
        const { status, data } = await askFor('GET', '/v1/no-such-path')
        demandSame([status, data.code], [404, 'route_not_found'], 'status and code')
      },
    },
    ...Object.entries(contract.paths).map(([path, item]) => ({
      title: `${path}: a method that the contract does not have is answered 405, with those that it has in Allow`,
      run: async ({ askFor }: Deployment) => {
        const methods = Object.keys(item).map((method) => method.toUpperCase())
        const other = ['DELETE', 'PATCH', 'PUT'].find((method) => !methods.includes(method))
        if (other === undefined) throw new NotTried('the contract has every method of this path')
        const { status, data, headers } = await askFor(other, path.replaceAll(/[{}]/g, '-'))
        demandSame([status, data.code], [405, 'method_not_allowed'], 'status and code')
        const allowed = (headers.get('allow') ?? '').split(',').map((method) => method.trim())
        demandSame(allowed.toSorted(), methods.toSorted(), 'Allow')
      },
    })),
  ],
}

async function publishedBy({ readPage }: Deployment): Promise<Published> {
  const { status, text } = await readPage('/openapi.json')
  demandSame(status, 200, 'the status of /openapi.json')
  const found = documentIn(text)
  // What it points to elsewhere would be fetched, also from this machine and its network.
  demand(!refersElsewhere(found), '/openapi.json refers to other documents')
  return found
}

/** @throws Broken */
function documentIn(text: string): Published {
  try {
    const found = JSON.parse(text) as Partial<Published>
    const isOpenApi = typeof found.openapi === 'string' && found.openapi.startsWith('3.')
    if (isOpenApi && typeof found.info?.version === 'string' && typeof found.paths === 'object')
      return found as Published
  } catch {
    // Told below.
  }
  throw new Broken('/openapi.json is no OpenAPI document')
}

function majorOf(version: string): string {
  return version.split('.')[0] as string
}

interface Report {
  changes: { verdicts: { impact: string; message: string }[] }[]
}

/** What a client of the contract of this checkout could not rely on there, in words. */
async function findBreaks(theirs: Published): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-conformance-'))
  try {
    const [base, revision] = [join(folder, 'this.json'), join(folder, 'theirs.json')]
    await Promise.all([writeFile(base, JSON.stringify(contract)), writeFile(revision, JSON.stringify(theirs))])
    const { output, errors } = await redocly('diff', base, revision, '--format', 'json', '--fail-on', 'none')
    if (output === '') throw new Broken(`/openapi.json cannot be compared: ${errors.trim()}`)
    const { changes } = JSON.parse(output) as Report
    return changes
      .flatMap(({ verdicts }) => verdicts)
      .filter(({ impact }) => impact === 'major')
      .map(({ message }) => message)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What Redocly takes for text. @throws Broken where it is not of the form of a contract of this API */
function findOwnBreaks(theirs: Published): string[] {
  try {
    return ownBreaks(unfolded(contract) as unknown as Contract, unfolded(theirs) as unknown as Contract)
  } catch (error) {
    throw new Broken(`/openapi.json cannot be compared: ${(error as Error).message}`)
  }
}
