/** Lines of the log as people read them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLog, type Log } from '../../src/kit/runtime.ts'
import { createLogLines } from '../../src/process/logLines.ts'

/** What is shown of what is logged. */
function shown(write: (log: Log) => void, colours = false): string {
  const format = createLogLines(colours)
  let text = ''
  write(
    createLog('info', {
      write: (line) => {
        text += format(line)
      },
    }),
  )
  return text
}

const request = {
  trace_id: 'a1',
  operation: 'sendVerification',
  method: 'POST',
  status: 200,
  ms: 3.17,
  key_id: 'key_1',
}
const time = '\\d\\d:\\d\\d:\\d\\d'
/** What a terminal may be told: colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they are
const colour = /\u001b\[\d+m/g

describe('a request', () => {
  it('is one short line: when, what was asked, what was answered, how long it took', () => {
    expect(shown((log) => log.info(request, 'request'))).toMatch(
      new RegExp(`^${time} POST /v1/verify/send 200 3.17 ms\\n$`),
    )
  })

  it('has the code of its error', () => {
    const refused = { ...request, operation: 'getMessage', method: 'GET', status: 404, error: 'message_not_found' }
    expect(shown((log) => log.info(refused, 'request'))).toMatch(/ GET \/v1\/messages\/\{id\} 404 message_not_found 3/)
  })

  it('has its trace when it is the service that failed', () => {
    expect(shown((log) => log.info({ ...request, status: 503, ms: 2000.4 }, 'request'))).toMatch(
      / 503 2000 ms trace_id=a1\n$/,
    )
  })

  it('that was for no operation says so, and nothing of what it asked', () => {
    expect(shown((log) => log.info({ ...request, operation: 'none' }, 'request'))).toContain(
      ' POST (no operation) 200 ',
    )
  })

  it('has colours at a terminal that shows them, and else none', () => {
    const [plain, coloured] = [false, true].map((colours) => shown((log) => log.info(request, 'request'), colours))
    expect(plain).not.toMatch(colour)
    expect(coloured).toMatch(colour)
    expect(coloured!.replaceAll(colour, '').slice(8)).toBe(plain!.slice(8))
  })
})

describe('another line', () => {
  it('is one line too, with all that it tells', () => {
    const told = {
      connection: 'wa',
      phone: '+1415•••••23',
      outcome: 'retry',
      reason: 'asks too often',
      took: undefined,
    }
    expect(shown((log) => log.info(told, 'delivery'))).toMatch(
      new RegExp(`^${time} delivery connection=wa phone=\\+1415•••••23 outcome=retry reason="asks too often"\\n$`),
    )
  })

  it('says when it is a warning or an error, and below it what went wrong and why', () => {
    const cause = new Error('no route')
    const text = shown((log) => {
      log.warn('a connection is paused')
      log.error({ err: new TypeError('cannot send', { cause }), queue: 'send' }, 'failed')
    })
    expect(text).toMatch(new RegExp(`^${time} WARN a connection is paused\\n${time} ERROR failed queue=send\\n`))
    expect(text).toMatch(/\n {4}err: TypeError: cannot send\n {6}at .*logLines\.test\.ts/)
    expect(text).toMatch(/\n {6}caused by Error: no route\n/)
  })
})

it('gives a terminal no orders but colours, whatever is in it', () => {
  const nasty = fc.string({
    unit: fc.constantFrom('a', '"', '\\', '\n', '\r', '\u001b', '\u007f', '\u009b', '\u2028', '\u202e', '\ud800'),
  })
  fc.assert(
    fc.property(nasty, nasty, nasty, (name, value, word) => {
      const text = shown((log) => {
        log.info({ [`x${name}`]: value, method: value, operation: word, list: [{ [name]: word }] }, 'request')
        log.warn({ [`x${name}`]: value, list: [{ [name]: word }] }, value)
        log.info({ err: Object.assign(new Error(value, { cause: new Error(word) }), { code: word }) }, word)
      }, true)
      expect(text.replaceAll(colour, '').replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
      // Neither lines of its own: those of an entry, and of errors below it, are all that there are.
      const lines = text.replaceAll(colour, '').trimEnd().split('\n')
      expect(lines.filter((line) => !/^(\d\d:\d\d:\d\d | {4}err: | {6})/.test(line))).toEqual([])
    }),
  )
})
