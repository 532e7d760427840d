import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readYaml } from '../../src/cli/files/yamlFile.ts'

let folder: string
let file: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-yaml-'))
  file = join(folder, 'file.yaml')
})
afterAll(() => rm(folder, { recursive: true }))

async function read(text: string): Promise<unknown> {
  await writeFile(file, text)
  return (await readYaml(file)).value
}

it('reads what YAML 1.2 says', async () => {
  expect(await read('- { id: a, on: no, countries: [NO, DE], n: 1.5, none: }')).toEqual([
    { id: 'a', on: 'no', countries: ['NO', 'DE'], n: 1.5, none: null },
  ])
})

it('says that there is no such file', async () => {
  await expect(readYaml(join(folder, 'none.yaml'))).rejects.toThrow(
    /^Cannot read .*none\.yaml: there is no such file or folder\.$/,
  )
})

it.each([
  ['- token: [s3cret', 'a bracket is not closed (line 1, column'],
  ['- token: "s3cret', 'is missing (line 1, column'],
  [
    '- token: "a\\s3cret"',
    'a backslash within double quotes has no meaning: write two, or single quotes around the text (line 1, column 12)',
  ],
  ['- token: *s3cret', 'an alias (*) has no anchor (&) before it'],
  ['- token: s3cret\n  <<: *defaults', '<< needs a mapping, or an alias (*) of one that is defined before it'],
  ['- token: |s3cret\n    x', '(line 1'],
  [
    '- token: `s3cret`',
    'a text begins with a character that YAML reserves: put the text in quotes (line 1, column 10)',
  ],
  ['- token: "x" s3cret', '(line 1'],
  ['- token: &a s3cret\n  s3cret', '(line'],
  ['- token: !s3cret !s3cret x', '(line'],
  ['%s3cret s3cret s3cret\n- token: @s3cret', '(line'],
  ['- token: }s3cret', '(line'],
  ['&s3cret [*s3cret]', 'a part of it contains itself'],
  ['- &a { s3cret: { s3cret: *a } }', 'a part of it contains itself'],
  ['s3cret: 1\ns3cret: 2', 'a name is there twice (line 2, column 1)'],
])('does not repeat what is in a file that it cannot read: %s', async (text, told) => {
  const error = await read(text).then(
    () => new Error('was read'),
    (reason: Error) => reason,
  )
  expect(error.message).toContain(`${file} cannot be read as YAML: `)
  expect(error.message).toContain(told)
  expect(error.message).not.toContain('s3cret')
  expect(error.message).not.toContain('\n')
})
