/**
 * The callers: each has one open connection and asks one thing after the other. Plain sockets, requests that are ready but
 * for a few values, and answers of which only the status and the length are read: what they cost, the server can't use.
 */
import { connect } from 'node:net'
import type { Ask, Job, Outcome } from './load.ts'
import { personAt, phoneAt } from './phone.ts'

/** Values of a list come in turns of so many: the same one is not asked for twice at a moment. */
const turn = 128
const readBytes = 64 * 1024

process.on('message', async (job: Job) => {
  try {
    process.send?.(await run(job))
  } catch (error) {
    process.send?.({ failed: String(error) })
  }
})

async function run(job: Job): Promise<Outcome> {
  const next = createRequests(job)
  const { expected } = job
  const latencies: number[] = []
  const ids: string[] = []
  const unexpected: Record<string, number> = {}
  let example: string | undefined
  const take = (answer: string, ms: number) => {
    latencies.push(ms)
    if (job.keepIds) ids.push(/"request_id":"([^"]+)"/.exec(answer)?.[1] ?? '')
    if (!expected) return
    const { status: wanted, text } = expected
    if (answer.startsWith(`HTTP/1.1 ${wanted} `) && (!text || answer.includes(text))) return
    const status = answer.slice(9, 12)
    unexpected[status] = (unexpected[status] ?? 0) + 1
    example ??= answer
  }
  const open = () => (job.reopens ? openAgain(job, take) : openCaller(job, take))
  const callers = await Promise.all(Array.from({ length: job.callers }, open))
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  try {
    const nextInTime = limited(next, startedAt + job.secondsMax * 1000, job.requestsMax ?? Number.POSITIVE_INFINITY)
    await Promise.all(callers.map((caller) => caller.askAll(nextInTime)))
  } finally {
    for (const { close } of callers) close()
  }
  const seconds = (performance.now() - startedAt) / 1000
  const cpu = process.cpuUsage(cpuBefore)
  latencies.sort((one, other) => one - other)
  const quantile = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0
  return {
    seconds,
    requests: latencies.length,
    p50Ms: quantile(0.5),
    p95Ms: quantile(0.95),
    p99Ms: quantile(0.99),
    unexpected,
    ...(example !== undefined && { example }),
    ids,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
  }
}

/** @returns the next request; undefined when there are no more values, or it is over */
function limited(
  request: (number: number) => string | undefined,
  endsAt: number,
  requestsMax: number,
): () => string | undefined {
  let asked = 0
  return () => {
    if (asked >= requestsMax || performance.now() > endsAt) return undefined
    const next = request(asked)
    if (next !== undefined) asked++
    return next
  }
}

/** @returns the request of that number, ready to be sent; undefined when there are no more values */
function createRequests({
  method,
  path,
  key,
  user,
  headers = {},
  body,
  values,
}: Ask): (number: number) => string | undefined {
  const plain = createValues(values)
  const own = user === undefined ? plain : (number: number) => plain(number)?.map((value) => value.replace('+', '%2B'))
  const type = user === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
  const length = body && filled(body.split('*'), own(0) ?? []).length
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(key ? [`Authorization: ${user === undefined ? `Bearer ${key}` : basic(user, key)}`] : []),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(length === undefined ? [] : [`Content-Type: ${type}`, `Content-Length: ${length}`]),
    `\r\n${body ?? ''}`,
  ]
  const parts = lines.join('\r\n').split('*')
  if (parts.length === 1) return () => parts[0]
  return (number) => {
    const values = own(number)
    return values && filled(parts, values)
  }
}

function filled([before = '', ...behind]: string[], values: string[]): string {
  return behind.reduce((text, part, index) => text + (values[index] ?? '') + part, before)
}

function basic(user: string, key: string): string {
  return `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`
}

/** @returns what stands for each `*`, as long for each request */
function createValues(values: Ask['values']): (number: number) => string[] | undefined {
  if (!values) return () => []
  if ('peopleFrom' in values) return (number) => personAt(values.peopleFrom + number)
  if ('phonesFrom' in values) return (number) => [phoneAt(values.phonesFrom + number)]
  const { list, times, again } = values
  return (number) => {
    const within = number % (turn * times)
    const place = (number - within) / times + (within % turn)
    const value = list[again ? place % list.length : place]
    return value === undefined ? undefined : [value]
  }
}

interface Caller {
  /** Resolves when the last of these has its answer. @throws Error when the connection breaks */
  askAll: (next: () => string | undefined) => Promise<void>
  close: () => void
}

function openCaller({ port, pauseMs = 0 }: Job, take: (answer: string, ms: number) => void): Promise<Caller> {
  return new Promise((resolve, reject) => {
    let onAnswer: (answer: string) => void = () => {}
    let onFault: (error: Error) => void = reject
    let text = ''
    const read = (count: number, buffer: Uint8Array) => {
      text += (buffer as Buffer).toString('latin1', 0, count)
      if (!isWhole(text)) return true
      const answer = text
      text = ''
      onAnswer(answer)
      return true
    }
    // One buffer for as long as the connection lasts.
    const onread = { buffer: Buffer.allocUnsafe(readBytes), callback: read }
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread })
    socket.on('error', (error) => onFault(error))
    socket.on('close', () => onFault(new Error('the server closed a connection')))
    const askAll: Caller['askAll'] = (next) =>
      new Promise((done, failed) => {
        let sentAt = 0
        const ask = () => {
          const request = next()
          if (request === undefined) return done()
          sentAt = performance.now()
          socket.write(request, 'latin1')
        }
        onFault = failed
        onAnswer = (answer) => {
          take(answer, performance.now() - sentAt)
          if (pauseMs > 0) setTimeout(ask, pauseMs)
          else ask()
        }
        ask()
      })
    socket.once('connect', () => resolve({ askAll, close: () => socket.destroy() }))
  })
}

/** One whose connections may break: what was asked on one of these is not asked again. */
async function openAgain(job: Job, take: (answer: string, ms: number) => void): Promise<Caller> {
  let caller = await openCaller(job, take)
  const isDone = (next: () => string | undefined) =>
    caller.askAll(next).then(
      () => true,
      () => false,
    )
  const askAll: Caller['askAll'] = async (next) => {
    while (!(await isDone(next))) {
      caller.close()
      caller = await openCaller(job, take)
    }
  }
  return { askAll, close: () => caller.close() }
}

/** The servers here send `Content-Length`, better-auth pieces, the last of which is empty. */
function isWhole(text: string): boolean {
  const head = text.indexOf('\r\n\r\n')
  if (head < 0) return false
  const length = /content-length: *(\d+)/i.exec(text)
  return length ? text.length >= head + 4 + Number(length[1]) : text.endsWith('\r\n0\r\n\r\n')
}
