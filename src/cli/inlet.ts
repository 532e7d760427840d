import type { Command } from 'commander'
import { inletForms } from '../app/admin.ts'
import { defaultAccount } from '../domain/access/account.ts'
import type { ListedInlet } from '../domain/inlets/inlet.ts'
import { readInlets } from '../domain/inlets/inletEntry.ts'
import { inletKinds } from '../inlets/shipped.ts'
import { readBoundedYaml } from '../kit/reading/boundedYaml.ts'
import { withLines } from '../kit/reading/formFaults.ts'
import { Refusal } from '../kit/refusal.ts'
import { table } from '../kit/terminal.ts'
import { fillPlaces } from './files/places.ts'
import { fileRefusal, readBoundedText } from './files/yamlFile.ts'
import { type AddCommands, command, type OfAccount, type Output, print, type Shell } from './shell.ts'

export const addInlets: AddCommands = (program, { administer, environment }) => {
  const inlets = program.command('inlets').description('manage inlets: where auth systems post the codes to send')

  command(inlets, 'apply', 'replaces the inlets of an account with those in a file, all or nothing')
    .argument('<file>', 'YAML: a list of id, kind, mode and secret')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action((file: string, options: OfAccount) =>
      administer(async (admin) => {
        const list = await readList(file, environment)
        const { id, name: account } = await admin.accounts.require(options.account)
        const { changed, removed } = await admin.inlets.apply(id, list)
        const found = await admin.inlets.list(id)
        const applied = found.map((inlet) => inlet.id)
        const said = (what: string, ids: string[]) => `${what}: ${ids.join(', ') || 'none'}.`
        const first = [said('Applied', applied), said('New or changed', changed), said('Removed', removed)].join(' ')
        const text = found.length > 0 ? `${first}\n${listText(found, admin.served.publicUrl)}` : first
        print(options, { account, applied, changed, removed }, text)
      }),
    )

  addList(inlets, { administer })

  command(inlets, 'check', 'checks a file: names all faults with their lines, and changes nothing')
    .argument('<file>', 'as for apply')
    .action(async (file: string, options: Output) => {
      const list = await readList(file, environment)
      print(options, { file, inlets: list.length }, `Nothing is wrong in ${file}. Inlets: ${list.length}.`)
    })
}

function addList(inlets: Command, { administer }: Pick<Shell, 'administer'>): void {
  command(inlets, 'list', 'lists the inlets of an account with their addresses; with --json also their secrets')
    .option('--account <name>', 'the account (by name)', defaultAccount)
    .action((options: OfAccount) =>
      administer(async (admin) => {
        const { id } = await admin.accounts.require(options.account)
        const found = await admin.inlets.list(id)
        const { publicUrl } = admin.served
        const json = found.map((inlet) => inletJson(inlet, publicUrl))
        print(options, json, listText(found, publicUrl))
      }),
    )
}

/** @throws Refusal with all that is wrong in the file, each with its line and never with a value */
async function readList(file: string, environment: Shell['environment']): Promise<unknown[]> {
  const text = await readBoundedText(file)
  const { value, faults, lineOf } = readBoundedYaml(text)
  if (faults.length > 0) throw fileRefusal(file, faults)
  if (!Array.isArray(value)) throw new Refusal(`${file} must be a list of inlets.`)
  const { value: filled, missing } = fillPlaces(value, environment)
  const list = filled as unknown[]
  const { faults: found } = readInlets(list, { kinds: inletKinds, forms: inletForms }, missing)
  if (found.length === 0) return list
  throw fileRefusal(file, withLines(found, lineOf))
}

function inletJson({ id, kind, mode, path, secrets, posts }: ListedInlet, publicUrl: string | undefined) {
  // For an installation that does not know where the world reaches it, its path.
  return { id, kind, mode, url: `${publicUrl ?? ''}${path}`, ...(secrets && { secret: secrets }), posts }
}

function listText(found: readonly ListedInlet[], publicUrl: string | undefined): string {
  return table(
    found.map(({ id, kind, mode, path, posts: [last] }) => ({
      ...{ id, kind, mode, url: `${publicUrl ?? ''}${path}` },
      last: last ? lastText(last) : 'no post yet',
    })),
  )
}

function lastText({ outcome, lacks, fault, at }: ListedInlet['posts'][number]): string {
  if (fault !== undefined) return `${outcome} ${at}: its phone number ${fault}`
  return lacks === undefined ? `${outcome} ${at}` : `${outcome} ${at}, without ${lacks}`
}
