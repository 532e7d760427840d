/** What an operator is told of a command that is not written as it must be. */
import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { createProgram } from '../../src/cli/program.ts'
import { createShell, seconds } from '../../src/cli/shell.ts'
import { foreignWords } from '../support/foreignWords.ts'

/** What is said of a command line; undefined where nothing is wrong with it. No command is run. */
async function saidOf(words: string[]): Promise<string | undefined> {
  const program = createProgram(createShell({}))
  let said = ''
  for (const command of withinOf(program)) {
    command.configureOutput({ writeErr: (text) => (said += text) })
    if (command.commands.length === 0) command.action(() => {})
  }
  const isRefused = await program.parseAsync(words, { from: 'user' }).then(
    () => false,
    () => true,
  )
  return isRefused ? said : undefined
}

function withinOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withinOf)]
}

/** Lines with something wrong, for a command of those words. */
function wrongLines(command: Command, words: string[]): string[][] {
  const given = command.registeredArguments.filter(({ required }) => required).map(() => 'x')
  const options = command.options.filter(({ long }) => long !== '--json')
  const valued = options.filter(({ required }) => required)
  const chosen = valued.filter(({ argChoices, parseArg }) => argChoices ?? parseArg)
  return [
    [...words, ...given, '--no-such-option'],
    [...words, ...given, 'x', 'y', 'z'],
    ...(given.length > 0 ? [words] : []),
    ...valued.map(({ long }) => [...words, ...given, long!]),
    ...chosen.map(({ long }) => [...words, ...given, long!, 'no such\nvalue']),
  ]
}

it('is a sentence in our own words, for every command, option and argument', async () => {
  const groups = createProgram(createShell({})).commands
  const lines = groups.flatMap((group) =>
    group.commands.length > 0
      ? group.commands.flatMap((command) => wrongLines(command, [group.name(), command.name()]))
      : wrongLines(group, [group.name()]),
  )
  const said = await Promise.all([['no-such-command'], ['keys', 'crate'], ...lines].map(saidOf))
  const told = said.filter((text) => text !== undefined)
  expect(told.length).toBeGreaterThan(150)
  expect(told.flatMap(foreignWords)).toEqual([])
  expect(told.filter((text) => /^error|\p{Cc}(?<!\n)/mu.test(text))).toEqual([])
})

it.each([
  [['templates', 'list', '--acount', 'x'], 'There is no option --acount.'],
  [['key', 'create'], 'There is no command key.\n(Did you mean keys?)'],
  [['keys', 'crate'], 'There is no command crate: keys has create, '],
  [['endpoints', 'create', 'https://acme.com/hook'], 'There is no command create: endpoints has add, '],
  [['keys', 'revoke'], 'This command needs <id>.'],
  [['keys', 'create', '--mode', 'test'], 'This command needs --name <name>.'],
  [['keys', 'create', '--name'], 'This option needs a value: --name <name>.'],
  [['keys', 'create', '--name', 'x', '--mode', 'prod'], '--mode <mode> cannot be "prod". It is one of '],
  [['templates', 'list', 'all'], 'Too many arguments.'],
])('names what is wrong: %j', async (words, sentence) => {
  expect(await saidOf(words)).toContain(sentence)
})

it.each([
  [['accounts', 'cooldown'], 30, 600],
  [['keys', 'roll', 'key_1', '--overlap'], 0, Number.POSITIVE_INFINITY],
  [['keys', 'create', '--mode', 'test', '--name', 'x', '--expires'], 1, Number.POSITIVE_INFINITY],
  [['endpoints', 'replay', 'end_1', '--since'], 0, Number.POSITIVE_INFINITY],
  [['protection', 'replay', 'rules.yaml', '--since'], 1, Number.POSITIVE_INFINITY],
])('every example of a length of time is one that the command takes: %j', async (words, min, max) => {
  const said = (await saidOf([...words, 'a while'])) ?? ''
  const examples = said.match(/\b\d+[a-z]+\b/g) ?? []
  expect(examples).toHaveLength(3)
  for (const example of examples) {
    expect(await saidOf([...words, example])).toBeUndefined()
    const length = seconds(example)
    expect([example, length >= min && length <= max]).toEqual([example, true])
  }
})
