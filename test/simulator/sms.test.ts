/** Providers of SMS, played by their files: what is taken, what is refused, and what is reported. */
import { createHash, createHmac, createPublicKey, verify } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { shippedProviders } from '../../src/delivery/channels/sms/shipped.ts'
import { code, type Simulated, startSimulated } from '../support/simulated.ts'

const phone = '+14155552671'
const text = `${code} is your Acme code.`
const ref = 'req_01JD0000000000000000000000.2'

let simulated: Simulated
/** As the service says it of a connection. */
let reportUrl: string
beforeEach(async () => {
  simulated = await startSimulated()
  reportUrl = `${simulated.receiver.url}/providers/acct_default/sms/token?ref=${ref}`
})
afterEach(() => simulated.close())

/** @param password as a connection has it */
function twilio(to = phone, password = 'simulated-auth-token') {
  const form = { To: to, From: 'Acme', Body: text, StatusCallback: reportUrl, ContentRetention: 'discard' }
  return ask('twilio', '/2010-04-01/Accounts/AC1/Messages.json', {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(`AC1:${password}`).toString('base64')}` },
    body: new URLSearchParams(form),
  })
}

function telnyx(to = phone) {
  return ask('telnyx', '/v2/messages', {
    method: 'POST',
    headers: { Authorization: 'Bearer simulated-api-key', 'Content-Type': 'application/json' },
    body: JSON.stringify({ to, from: 'Acme', text, webhook_url: reportUrl, use_profile_webhooks: false }),
  })
}

function kannel(to = phone) {
  const query = { username: 'u', password: 'simulated-password', to, text, charset: 'UTF-8', coding: '0' }
  const reports = { 'dlr-mask': '31', 'dlr-url': `${reportUrl}&status=%d&smsc_id=%F` }
  return ask('kannel', `/cgi-bin/sendsms?${new URLSearchParams({ ...query, ...reports })}`, {})
}

async function ask(provider: string, path: string, init: RequestInit) {
  const response = await fetch(simulated.sms(provider).base_url + path, init)
  const body = await response.text()
  return { status: response.status, body, json: body.startsWith('{') ? JSON.parse(body) : undefined }
}

const askedFor = { twilio, telnyx, kannel }
/** What the receiver got, in the words of the provider. */
async function wordsOf(provider: keyof typeof askedFor): Promise<(string | null)[]> {
  return (await simulated.reported()).map(({ path, body }) => {
    if (provider === 'twilio') return new URLSearchParams(body).get('MessageStatus')
    if (provider === 'kannel') return new URL(path, 'http://here').searchParams.get('status')
    return JSON.parse(body).data.payload.to[0].status
  })
}

describe('a message by SMS', () => {
  it('is on the phone with its text and code, whatever the wire of its provider', async () => {
    const answers = [await twilio(), await telnyx(), await kannel()]
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 202])
    const { messages } = simulated.phone(phone)
    expect(messages.map(({ wire, provider }) => [wire, provider])).toEqual([
      ['sms', 'twilio'],
      ['sms', 'telnyx'],
      ['sms', 'kannel'],
    ])
    for (const message of messages) expect(message).toMatchObject({ text, code, reference: ref, leg: 2 })
    expect(answers[0]!.json.sid).toBe(messages[0]!.id)
    expect(answers[1]!.json.data.id).toBe(messages[1]!.id)
  })

  it('has an id of its own each time', async () => {
    expect((await twilio()).json.sid).not.toBe((await twilio()).json.sid)
  })

  it('by MSG91, which has the text itself, is shown with its code', async () => {
    await ask('msg91', '/api/v5/flow', {
      method: 'POST',
      headers: { authkey: 'simulated-authkey', Accept: 'application/json' },
      body: JSON.stringify({ template_id: 't', recipients: [{ mobiles: phone.slice(1), otp: code, CRQID: ref }] }),
    })
    expect(simulated.phone(phone).messages).toMatchObject([{ code, text: `Your code is ${code}.`, reference: ref }])
  })

  it('whose reports are to go to what is no address has none, and the simulator goes on', async () => {
    await simulated.close()
    simulated = await startSimulated({ attemptsMax: 1 })
    const asked = { src: 'Acme', dst: phone.slice(1), text, url: 'no address', method: 'POST', log: false }
    const plivo = () =>
      ask('plivo', '/v1/Account/MA1/Message/', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Basic ${Buffer.from('MA1:simulated-auth-token').toString('base64')}`,
        },
        body: JSON.stringify(asked),
      })
    expect((await plivo()).status).toBe(202)
    simulated.setFault(phone, 'wrong-token')
    expect((await plivo()).status).toBe(202)
    expect(await simulated.reported()).toEqual([])
    expect(simulated.state().reports).toMatchObject({ accepted: 0, waiting: 0 })
  })

  it('is refused when a secret is not the one of the simulator', async () => {
    expect(await twilio(phone, 'another')).toMatchObject({ status: 401, json: { code: 20003 } })
    expect(simulated.phone(phone).messages).toMatchObject([{ taken: false, outcome: 'down' }])
  })

  it('is not known under a path that the file has not', async () => {
    expect((await ask('twilio', '/2010-04-01/Accounts/AC1/Calls.json', { method: 'POST' })).status).toBe(404)
    expect((await ask('nobody', '/', {})).status).toBe(404)
  })
})

describe('a report by SMS', () => {
  it('names the message and is signed by Twilio with the token of the account', async () => {
    await twilio()
    const [report] = await simulated.reported()
    const fields = [...new URLSearchParams(report!.body)].toSorted(([one], [other]) => (one < other ? -1 : 1))
    expect(fields).toContainEqual(['MessageSid', simulated.phone(phone).messages[0]!.id])
    const signed = createHmac('sha1', 'simulated-auth-token').update(reportUrl + fields.flat().join(''))
    expect(report!.headers['x-twilio-signature']).toBe(signed.digest('base64'))
  })

  it('is signed by Telnyx with the key of which the connection has the public half', async () => {
    await telnyx()
    const { headers, body } = (await simulated.reported())[0]!
    const x = Buffer.from(simulated.sms('telnyx').settings.public_key!, 'base64').toString('base64url')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    const signature = Buffer.from(String(headers['telnyx-signature-ed25519']), 'base64')
    expect(verify(null, Buffer.from(`${headers['telnyx-timestamp']}|${body}`), key, signature)).toBe(true)
  })

  it('is a GET from Kannel, at the address that the message named', async () => {
    await kannel()
    const [report] = await simulated.reported()
    expect(report).toMatchObject({ method: 'GET', path: expect.stringContaining(`/token?ref=${ref}&status=1`) })
  })

  it('goes to the address of the provider where the message names none', async () => {
    await simulated.admin('PUT', '/webhooks', { sms: { unifonic: reportUrl } })
    await ask('unifonic', '/rest/SMS/messages', {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body: new URLSearchParams({
        AppSid: 'simulated-app-sid',
        Recipient: phone.slice(1),
        Body: text,
        responseType: 'JSON',
      }),
    })
    const fields = new URLSearchParams((await simulated.reported())[0]!.body)
    expect([fields.get('MessageID'), fields.get('DLR')]).toEqual([simulated.phone(phone).messages[0]!.id, 'Delivered'])
  })

  it('comes from Vonage for each SMS of a long text, under an id of its own', async () => {
    await ask('vonage', '/sms/json', {
      method: 'POST',
      headers: { Authorization: `Basic ${Buffer.from('k:simulated-api-secret').toString('base64')}` },
      body: new URLSearchParams({ from: 'Acme', to: phone.slice(1), text, callback: `${reportUrl}&parts=3` }),
    })
    const told = (await simulated.reported()).map(({ body }) => new URLSearchParams(body))
    const { id } = simulated.phone(phone).messages[0]!
    const delivered = told.filter((report) => report.get('status') === 'delivered').map((one) => one.get('messageId'))
    expect(delivered.toSorted()).toEqual([id, `${id}-2`, `${id}-3`])
  })

  it('is made by hand, with what the failure means', async () => {
    await twilio()
    await simulated.settled()
    const { id } = simulated.phone(phone).messages[0]!
    await simulated.admin('POST', '/reports', { id, status: 'failed', code: 'unreachable' })
    const { body } = (await simulated.reported()).at(-1)!
    expect(new URLSearchParams(body).get('ErrorCode')).toBe('30003')
  })
})

describe('a number that misbehaves by SMS', () => {
  it.each([
    ['refused:not_on_channel', 21211],
    ['refused:opted_out', 21610],
    ['refused:country_blocked', 21408],
    ['refused:rejected_by_channel', 21617],
    ['token-refused', 20003],
    ['nowhere', 21211],
  ])('is refused as the file says: %s', async (fault, code) => {
    simulated.setFault(phone, fault)
    expect((await twilio()).json.code).toBe(code)
    expect(simulated.phone(phone).messages).toMatchObject([{ taken: false }])
    expect(await simulated.reported()).toEqual([])
  })

  it('is refused once for each message: refused-once:retry', async () => {
    simulated.setFault(phone, 'refused-once:retry')
    expect([(await twilio()).status, (await twilio()).status]).toEqual([429, 201])
  })

  it.each([
    ['delivered', ['delivered']],
    ['read', ['delivered', 'read']],
    ['silent', []],
    ['failed:unreachable', ['undelivered']],
    ['failed:not_on_channel', ['undelivered']],
    ['late-delivered', ['undelivered', 'delivered']],
    ['reported-twice', ['delivered', 'delivered']],
    ['answer-lost', ['delivered']],
    ['broken-json', ['delivered']],
    ['early-report', ['delivered']],
  ])('is taken and reported: %s', async (fault, words) => {
    simulated.setFault(phone, fault)
    await twilio().catch(() => undefined)
    expect(await wordsOf('twilio')).toEqual(words)
  })

  it.each([
    ['twilio', 'refused:country_blocked', 400],
    ['telnyx', 'refused:opted_out', 400],
    ['kannel', 'refused:opted_out', 403],
  ] as const)('of a wire without that refusal is refused plainly: %s, %s', async (provider, fault, status) => {
    simulated.setFault(phone, fault)
    expect((await askedFor[provider]()).status).toBe(status)
  })

  it.each(['twilio', 'telnyx', 'kannel'] as const)('gets no answer, or half of one: %s', async (provider) => {
    simulated.setFault(phone, 'resets')
    await expect(askedFor[provider]()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
    simulated.setFault(phone, 'html')
    expect((await askedFor[provider]()).body).toContain('<html>')
    expect(simulated.phone(phone).messages.filter(({ taken }) => taken)).toEqual([])
  })

  it.each(['twilio', 'telnyx', 'kannel'] as const)(
    'is reported failed in the words of its provider: %s',
    async (provider) => {
      simulated.setFault(phone, 'failed:not_on_channel')
      await askedFor[provider]()
      expect(await wordsOf(provider)).toEqual([
        { twilio: 'undelivered', telnyx: 'sending_failed', kannel: '2' }[provider],
      ])
    },
  )

  it.each([
    ['twilio', 'wrong-signature', 'x-twilio-signature'],
    ['telnyx', 'wrong-signature', 'telnyx-signature-ed25519'],
  ] as const)('is reported under another key: %s', async (provider, fault, header) => {
    await askedFor[provider]()
    simulated.setFault(phone, fault)
    await askedFor[provider]()
    const [right, wrong, ...others] = await simulated.reported()
    expect(others).toEqual([])
    expect(wrong!.path).toBe(right!.path)
    expect(digestOf(wrong!.headers[header])).not.toBe(digestOf(right!.headers[header]))
  })

  it.each([
    ['twilio', 'wrong-token'],
    ['kannel', 'wrong-token'],
    ['kannel', 'wrong-signature'],
  ] as const)('is reported at an address with another token: %s, %s', async (provider, fault) => {
    simulated.setFault(phone, fault)
    await askedFor[provider]()
    const [{ path } = { path: '' }] = await simulated.reported()
    expect(path).toMatch(/^\/providers\/acct_default\/sms\/toke[^n]\?/)
  })
})

describe('every provider that ships', () => {
  it.each(shippedProviders().map((file) => [file.provider, file] as const))(
    '%s has an example of a message that is taken, and of one that failed',
    (_name, { examples, report }) => {
      const kinds = examples.map((one) => ('answer' in one ? one.is.kind : 'report'))
      expect(kinds).toEqual(expect.arrayContaining(['sent', 'down', 'failed', 'report']))
      const told = examples.flatMap((one) => ('gives' in one ? one.gives.map(({ status }) => status) : []))
      expect(told).toEqual(expect.arrayContaining(['delivered', 'failed']))
      expect(Object.values(report!.map)).toContain('delivered')
    },
  )
})

function digestOf(text: unknown): string {
  return createHash('sha256').update(String(text)).digest('hex')
}
