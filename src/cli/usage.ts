/** What is said of a command that is not written as it must be, in place of the sentences of the library that reads it. */
import { visible } from '../kit/terminal.ts'

const sentences: readonly (readonly [form: RegExp, words: string])[] = [
  [/^error: unknown option '(.+?)'/, 'There is no option $1.'],
  [/^error: unknown command '(.+?)'/, 'There is no command $1.'],
  [/^error: missing required argument '(.+?)'/, 'This command needs <$1>.'],
  [/^error: required option '(.+?)' not specified/, 'This command needs $1.'],
  [/^error: option '(.+?)' argument missing/, 'This option needs a value: $1.'],
  [/^error: option '(.+?)' cannot be used with option '(.+?)'/, '$1 and $2 exclude each other.'],
  [/^error: option '(.+?)' argument '(.*?)' is invalid\. /s, '$1 cannot be "$2". '],
  [/^error: command-argument value '(.*?)' is invalid for argument '(.+?)'\. /s, '<$2> cannot be "$1". '],
  [/Allowed choices are (.+)\.$/m, 'It is one of $1.'],
  [/^error: too many arguments.*$/m, 'Too many arguments.'],
]

/** @param text as the library says it; it repeats what was typed */
export function usageWords(text: string): string {
  const told = sentences.reduce((said, [form, words]) => said.replace(form, words), text)
  return told.split('\n').map(visible).join('\n')
}
