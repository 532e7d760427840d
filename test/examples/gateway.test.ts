/** `examples/gateway/`: a gateway of one's own, with AWS played behind it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { newSecret } from '../../src/outbound/signature.ts'
import { type Provider, startProvider } from '../support/provider.ts'
import { compile, openStage, type Stage, serve, start } from './stage.ts'

const secret = newSecret()
const aws = { AWS_ACCESS_KEY_ID: 'played', AWS_SECRET_ACCESS_KEY: 'played', AWS_REGION: 'eu-central-1' }
const texts = { SMS_FROM: 'Acme', CONFIGURATION_SET: 'watchword' }
const wait = { timeout: 60_000, interval: 20 }

type Served = Awaited<ReturnType<typeof serve>>

/** A gateway with its AWS. @param reportUrl where it reports */
async function openGateway(reportUrl: string): Promise<{ gateway: Served; played: Served }> {
  const played = await serve('gateway', 'played.ts', aws)
  const gateway = await serve('gateway', 'gateway.ts', settings(reportUrl, played))
  return { gateway, played }
}

function settings(reportUrl: string, played: Served): Record<string, string> {
  const places = { AWS_ENDPOINT_URL: played.url, QUEUE_URL: `${played.url}/000000000000/watchword` }
  return { ...aws, ...texts, ...places, GATEWAY_SECRET: secret, REPORT_URL: reportUrl }
}

it('the example of a gateway compiles under strict settings', async () => {
  expect(await compile('gateway')).toBe('')
})

it('a gateway does not start without its secrets and addresses, and names them', async () => {
  const started = start('gateway', ['node', 'gateway.ts'], {})
  await started.ended
  expect(started.child.exitCode).toBe(1)
  expect(started.output()).toMatch(/^Set (AWS_REGION|GATEWAY_SECRET), .*\.$/m)
})

describe('behind the service, the gateway of the example', () => {
  let stage: Stage
  let opened: Awaited<ReturnType<typeof openGateway>>
  let backup: Provider
  beforeAll(async () => {
    stage = await openStage()
    backup = await startProvider({ status: 200 })
    opened = await openGateway(`${stage.service.url}/providers/acct_default/aws`)
    const folder = await mkdtemp(join(tmpdir(), 'watchword-gateway-'))
    const file = join(folder, 'channels.yaml')
    const shown = await readFile(join(import.meta.dirname, '../../examples/gateway/channels.yaml'), 'utf8')
    const next = `- { id: backup, kind: http, url: ${backup.url}, secret: ${newSecret()} }\n`
    await writeFile(file, shown.replace('http://127.0.0.1:8090/send', opened.gateway.url) + next)
    await stage.cliWith({ GATEWAY_SECRET: secret }, 'channels', 'apply', file, '--json')
    await rm(folder, { recursive: true })
  })
  afterAll(async () => {
    await Promise.all([opened?.gateway.end(), opened?.played.end(), backup?.close(), stage?.close()])
  })

  async function ask<Data>(path: string, body?: object): Promise<Data> {
    const headers = { Authorization: `Bearer ${stage.liveKey}`, 'Content-Type': 'application/json' }
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    return ((await (await fetch(`${stage.service.url}${path}`, init)).json()) as { data: Data }).data
  }

  const send = async (phone: string) =>
    (await ask<{ request_id: string }>('/v1/verify/send', { phone, brand_name: 'Acme' })).request_id

  const attempts = async (id: string) => {
    const { status, attempts } = await ask<{ status: string; attempts: object[] }>(`/v1/messages/${id}`)
    return { status, attempts }
  }

  const codeByBackup = (id: string) =>
    vi.waitFor(() => {
      const posted = backup.asked.map(({ body }) => JSON.parse(body) as { id: string; code: string })
      return posted.find((one) => one.id === id)!.code
    }, wait)

  it('brings a code to the phone, and what became of it back', async () => {
    const request_id = await send('+14155552671')
    const line = /^\+14155552671: .*(\d{6})/m
    const code = await vi.waitFor(() => line.exec(opened.played.output())![1]!, wait)
    await vi.waitFor(async () => expect(await attempts(request_id)).toMatchObject({ status: 'delivered' }), wait)
    expect(await ask('/v1/verify/check', { request_id, code })).toMatchObject({ verified: true })
    expect(backup.asked).toEqual([])
  })

  it('reports a number that is out of reach, and the next connection gets the same digits', async () => {
    const id = await send('+14155552600')
    const code = await codeByBackup(id)
    expect(opened.played.output()).toMatch(new RegExp(`^\\+14155552600: .*${code}`, 'm'))
    expect(JSON.stringify(await stage.cli('messages', 'show', id, '--json'))).toContain('TEXT_UNREACHABLE')
  })

  // The last one: it ends AWS.
  it('leaves a code to the next connection while AWS is down', async () => {
    await opened.played.end()
    const id = await send('+14155552672')
    expect(await codeByBackup(id)).toMatch(/^\d{6}$/)
    expect(opened.gateway.output()).toContain(`${id} was not taken`)
    expect(opened.gateway.output()).not.toContain('14155552672')
  })
})

describe('the gateway of the example', () => {
  let opened: Awaited<ReturnType<typeof openGateway>>
  let watchword: Provider
  beforeAll(async () => {
    watchword = await startProvider({ status: 200 })
    opened = await openGateway(watchword.url)
  })
  beforeEach(() => {
    watchword.asked.length = 0
    watchword.behave({ status: 200 })
  })
  afterAll(async () => {
    await Promise.all([opened?.gateway.end(), opened?.played.end(), watchword?.close()])
  })

  let posts = 0
  interface Sent {
    phone: string
    key?: string
    at?: Date
    id?: string
    more?: string
    to?: string
  }
  /** @param more behind what was signed */
  async function post({ phone, key = secret, at = new Date(), id = `req_${++posts}/1`, more = '', to }: Sent) {
    const body = JSON.stringify({ id: id.replace(/\/1$/, ''), phone, text: 'Your Acme code is 482913' })
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
      'webhook-signature': new Webhook(key).sign(id, at, body),
    }
    const answer = await fetch(to ?? opened.gateway.url, { method: 'POST', headers, body: body + more })
    return { status: answer.status, text: await answer.text() }
  }

  it.each<[string, Partial<Sent>, number]>([
    ['signed with another secret', { key: newSecret() }, 401],
    ['with something behind what was signed', { more: ' ' }, 401],
    ['signed an hour ago', { at: new Date(Date.now() - 3_600_000) }, 401],
    ['of more than 64 KB', { more: ' '.repeat(70_000) }, 413],
  ])('refuses a post %s, and sends nothing', async (_what, sent, status) => {
    expect((await post({ phone: '+14155552673', ...sent })).status).toBe(status)
    expect(opened.played.output()).not.toContain('+14155552673')
  })

  it('refuses a post without a signature', async () => {
    expect((await fetch(opened.gateway.url, { method: 'POST' })).status).toBe(401)
  })

  it('sends a text once that is posted again under its id, also while it is under way', async () => {
    const again = { phone: '+14155552674', id: 'req_again/1' }
    const answers = await Promise.all([post(again), post(again), post(again)])
    answers.push(await post(again))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(JSON.parse(answers[0]!.text)).toEqual({ provider_message_id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(opened.played.output().match(/\+14155552674/g)).toHaveLength(1)
  })

  it('reports again, signed, what could not be taken', async () => {
    watchword.behave({ status: 503 })
    await post({ phone: '+14155552675', id: 'req_report/1' })
    const [first] = await vi.waitFor(() => findReports('req_report', 1), wait)
    await vi.waitFor(() => expect(opened.gateway.output()).toContain('Watchword answered 503'), wait)
    watchword.behave({ status: 200 })
    await vi.waitFor(() => findReports('req_report', 2), wait)
    const headers = first!.headers as Record<string, string>
    expect(new Webhook(secret).verify(first!.body, headers)).toContainEqual({
      id: 'req_report',
      status: 'delivered',
      at: expect.stringMatching(/Z$/),
    })
  })

  function findReports(id: string, least: number) {
    const found = watchword.asked.filter(({ body }) => body.includes(id))
    expect(found.length).toBeGreaterThanOrEqual(least)
    return found
  }

  it('says with 403 that AWS does not take its key, so that its connection rests', async () => {
    const other = { ...settings(watchword.url, opened.played), AWS_ACCESS_KEY_ID: 'other' }
    const strange = await serve('gateway', 'gateway.ts', other)
    expect((await post({ phone: '+14155552676', to: strange.url })).status).toBe(403)
    await strange.end()
  })
})
