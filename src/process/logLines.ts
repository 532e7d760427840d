/** Lines of the log for people: a short one for each request, in place of its JSON. */
import { prettyFactory } from 'pino-pretty'
import { operationFacts } from '../contract/document.ts'
import { twilioFacts } from '../contract/twilioDocument.ts'
import { visible } from '../kit/terminal.ts'

type Entry = Record<string, unknown>
type Colours = Parameters<NonNullable<Exclude<MessageFormat, string | false>>>[3]['colors']
type MessageFormat = NonNullable<Parameters<typeof prettyFactory>[0]['messageFormat']>

/** @returns what is shown for a line of JSON; nothing in it gives a terminal orders, but for the colours */
export function createLogLines(colours: boolean): (line: string) => string {
  return prettyFactory({
    colorize: colours,
    // The line itself is made here; what is left of the entry for below it, is what went wrong.
    include: 'err',
    customPrettifiers: { err: (error) => errorLines(error).join('\n') },
    customColors: 'message:reset',
    messageFormat: (entry, _messageKey, _levelLabel, { colors }) =>
      entry.msg === 'request' ? requestLine(entry, colors) : otherLine(entry, colors),
  })
}

const paths = new Map<unknown, string>(
  [...operationFacts, ...twilioFacts].map(({ operationId, path }) => [operationId, path]),
)

/** Of what is asked besides the operations, the log has no path: it may be anything. */
function requestLine({ time, operation, method, status, error, ms, trace_id }: Entry, colours: Colours): string {
  const path = paths.get(operation) ?? colours.gray('(no operation)')
  const failed = Number(status) >= 500 && `trace_id=${text(trace_id)}`
  return [
    colours.gray(timeOf(time)),
    text(method),
    path,
    pickColour(Number(status), colours)(text(status)),
    error === undefined ? false : text(error),
    colours.gray(`${Number(ms) < 10 ? text(ms) : Math.round(Number(ms))} ms`),
    failed,
  ]
    .filter((part) => part !== false)
    .join(' ')
}

function otherLine({ time, level, msg, err: _below, ...facts }: Entry, colours: Colours): string {
  const told = Object.entries(facts).map(([name, value]) => colours.gray(`${visible(name)}=`) + text(value))
  const warning = levels.findLast(({ from }) => Number(level) >= from)
  const parts = [
    colours.gray(timeOf(time)),
    warning && colours[warning.colour](warning.name),
    text(msg, false),
    ...told,
  ]
  return parts.filter((part) => part !== undefined).join(' ')
}

/** Of the others, nothing is said. */
const levels = [
  { from: 40, name: 'WARN', colour: 'yellow' },
  { from: 50, name: 'ERROR', colour: 'red' },
] as const

function pickColour(status: number, { green, yellow, red }: Colours): (text: string) => string {
  if (status < 400) return green
  return status < 500 ? yellow : red
}

/** As `runtime.describeError` made it. */
function errorLines(error: unknown): string[] {
  const { type, code, message, frames, cause, ...others } = Object(error) as Entry
  const facts = Object.entries(others).map(([name, value]) => `${visible(name)}=${text(value)}`)
  const what = [type, code, ...facts].filter((part) => part !== undefined).map((part) => text(part, false))
  const lines = [`${what.join(' ')}${message === undefined ? '' : `: ${text(message, false)}`}`]
  if (Array.isArray(frames)) lines.push(...frames.map((frame) => `  ${text(frame, false)}`))
  if (cause === undefined) return lines
  const [first, ...rest] = errorLines(cause)
  return [...lines, `  caused by ${first}`, ...rest.map((line) => `  ${line}`)]
}

/** On one line. @param quoted whether a text of several words has quotation marks */
function text(value: unknown, quoted = true): string {
  if (typeof value !== 'string') return visible(JSON.stringify(value) ?? '-')
  return quoted && !/^[^\s"]+$/.test(value) ? visible(JSON.stringify(value)) : visible(value)
}

/** As the clock on the wall has it. */
function timeOf(time: unknown): string {
  return new Date(String(time)).toTimeString().slice(0, 8)
}
