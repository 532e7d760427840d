/** The licences of the packages that are in ours: most ask for their text to go along. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../contract/redocly.ts'

/** @param folders of packages, from the root @throws Error when one has neither a text nor names its licence */
export async function collectLicenses(folders: readonly string[]): Promise<string> {
  const texts = await Promise.all(folders.map(readLicense))
  return ['Watchword has code of these packages in it.', ...texts].join(`\n\n${'-'.repeat(80)}\n\n`)
}

async function readLicense(folder: string): Promise<string> {
  const place = join(root, folder)
  const manifest = JSON.parse(await readFile(join(place, 'package.json'), 'utf8')) as {
    name: string
    version: string
    license?: string
  }
  const file = (await readdir(place)).find((name) => /^licen[cs]e(\.(md|txt))?$/i.test(name))
  const text = file === undefined ? '' : await readFile(join(place, file), 'utf8')
  if (text === '' && manifest.license === undefined) throw new Error(`${folder} says nothing of its licence`)
  return [`${manifest.name} ${manifest.version}, ${manifest.license ?? 'see below'}`, text.trim()].join('\n\n').trim()
}
