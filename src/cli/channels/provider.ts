/** The providers of SMS: those that ship, and files of the operator's own. No database is needed. */
import { writeFile } from 'node:fs/promises'
import { toRequestPreview } from '../../delivery/channels/sms/preview.ts'
import { checkProviderFile, type ProviderFile } from '../../delivery/channels/sms/providerFile.ts'
import { isPath, shippedNames, shippedText } from '../../delivery/channels/sms/shipped.ts'
import { buildSkeleton } from '../../delivery/channels/sms/skeleton.ts'
import { ownCommand } from '../../kit/ownCommand.ts'
import { fileWords } from '../../kit/reading/fileWords.ts'
import { Refusal } from '../../kit/refusal.ts'
import { table, visible } from '../../kit/terminal.ts'
import { fileRefusal, readBoundedText } from '../files/yamlFile.ts'
import { type AddCommands, command, type Output, print } from '../shell.ts'

export const addProviders: AddCommands = (program) => {
  const providers = program.command('providers').description('SMS providers (one file each)')

  command(providers, 'list', 'lists the built-in providers').action((options: Output) => {
    const list = shippedNames().map((name) => summarize(name, goodFile(name, shippedText(name) ?? '')))
    print(
      options,
      list,
      table(list.map(({ settings, ...one }) => ({ ...one, settings: settings.map(({ name }) => name).join(' ') }))),
    )
  })

  command(providers, 'show', 'prints the file of a built-in provider')
    .argument('<name>', 'name from providers list')
    .action((name: string, options: Output) => {
      const text = shippedText(name)
      if (text === undefined) throw unknown(name)
      print(options, { ...summarize(name, goodFile(name, text)), text }, text.trimEnd())
    })

  command(providers, 'check', 'checks a file: names all faults with their lines, runs its examples, shows a request')
    .argument('<file>', 'path of a file, or name of a built-in provider')
    .action(async (name: string, options: Output) => {
      const text = isPath(name) ? await readBoundedText(name) : shippedText(name)
      if (text === undefined) throw unknown(name)
      const file = goodFile(name, text)
      const asked = toRequestPreview(file)
      const ran = `${name} is valid. Examples passed: ${file.examples.length}.`
      // The file may be a stranger's: its words give the terminal no orders.
      const shown = asked.text.split('\n').map(visible).join('\n')
      print(options, { file: name, examples: file.examples.length, ...asked }, `${ran}\n\n${shown}`)
    })

  command(providers, 'new', 'writes a starter file into this folder')
    .argument('<name>', 'of the provider: lower-case letters, digits, "-" and "_"')
    .action(async (name: string, options: Output) => {
      if (!/^[a-z][a-z0-9_-]{0,31}$/.test(name)) {
        throw new Refusal('The name must be 1 to 32 lower-case letters, digits, "-" and "_", and begin with a letter.')
      }
      const file = `${name}.yaml`
      await writeFile(file, buildSkeleton(name), { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
        throw new Refusal(`Cannot write ${file}: ${fileWords(error)}.`)
      })
      const shipped = shippedText(name) === undefined ? '' : shipsToo(name)
      print(
        options,
        { file },
        `Wrote ${file}. Fill in what it asks for, then run: ${ownCommand.cli} providers check ./${file}${shipped}`,
      )
    })
}

const shipsToo = (name: string) =>
  `\n\nA provider ${name} ships: a connection with "provider: ${name}" needs no file. To change that one instead, start from: ${ownCommand.cli} providers show ${name}`

function unknown(name: string): Refusal {
  return new Refusal(
    `There is no provider ${name}. There are ${shippedNames().join(', ')}; a file of your own needs a path, like ./acme.yaml.`,
  )
}

/** @throws Refusal with everything that is wrong, each with file and line */
function goodFile(name: string, text: string): ProviderFile {
  const { file, faults = [] } = checkProviderFile(text)
  if (!file) throw fileRefusal(name, faults)
  return file
}

function summarize(provider: string, { title, settings, report }: ProviderFile) {
  return {
    ...{ provider, title, reports: report?.signature.scheme ?? 'none' },
    settings: Object.entries(settings).map(([name, { about, secret, optional }]) => ({
      name,
      about,
      secret,
      optional,
    })),
  }
}
