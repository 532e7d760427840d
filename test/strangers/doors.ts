/** The doors that programs send to, asked over a socket: a request goes out as it is written, right or wrong. */
import { connect } from 'node:net'
import { openSite, type Site } from './site.ts'

/** The API, Twilio's wire, and an inlet. */
export type Door = 'api' | 'twilio' | 'inlet'

/** What differs from a good request. */
export interface Written {
  method?: string
  target?: (path: string) => string
  version?: string
  hosts?: string[]
  /** @param key or, for Twilio's wire, the account SID and the key with a colon between */
  authorization?: (key: string) => string
  types?: (type: string) => string[]
  headers?: string[]
  /** Whole headers in place of the `Content-Length`. */
  lengths?: string[]
  body?: (phone: string) => string
  pack?: (body: Buffer) => Buffer
}

export interface Told {
  status: number
  /** Empty where the answer has none. */
  message: string
}

export interface Doors {
  site: Site
  newPhone: () => string
  ask: (door: Door, written?: Written) => Promise<Told>
  /** The same, and what is wrong with which field. */
  details: (door: Door, written?: Written) => Promise<{ field: string; code: string; message: string }[]>
  close: () => Promise<void>
}

const secret = 'the-secret-of-this-inlet'

export async function openDoors(): Promise<Doors> {
  const site = await openSite({ TWILIO_VERIFY: 'on' })
  const { key } = await site.api('test')
  const sids = JSON.parse((await site.cli('twilio', 'show', '--json')).stdout)
  await site.apply(['inlets', 'apply'], 'inlets.yaml', `- { id: own, kind: plain, mode: test, secret: ${secret} }`)
  const pair = `${sids.account_sid}:${key}`
  const good = {
    api: {
      path: '/v1/verify/send',
      key,
      authorization: (text: string) => `Bearer ${text}`,
      type: 'application/json',
      body: (phone: string) => JSON.stringify({ phone }),
    },
    twilio: {
      path: `/v2/Services/${sids.service_sid}/Verifications`,
      key: pair,
      authorization: (text: string) => `Basic ${Buffer.from(text).toString('base64')}`,
      type: 'application/x-www-form-urlencoded',
      body: (phone: string) => `To=%2B${phone.slice(1)}&Channel=sms`,
    },
    inlet: {
      path: '/inlets/acct_default/own',
      key: secret,
      authorization: (text: string) => `Bearer ${text}`,
      type: 'application/json',
      body: (phone: string) => JSON.stringify({ phone, code: '4829' }),
    },
  }
  let count = 0
  const newPhone = () => `+1415558${2000 + count++}`

  const answerTo = async (door: Door, written: Written = {}) => {
    const { path, key, type, ...usual } = good[door]
    const { method = 'POST', target = (text) => text, version = '1.1', hosts = ['127.0.0.1'], headers = [] } = written
    const { authorization = usual.authorization, types = (one) => [one], pack = (body) => body } = written
    const body = pack(Buffer.from((written.body ?? usual.body)(newPhone())))
    const head = [
      `${method} ${target(path)} HTTP/${version}`,
      ...hosts.map((host) => `Host: ${host}`),
      `Authorization: ${authorization(key)}`,
      ...types(type).map((one) => `Content-Type: ${one}`),
      ...(written.lengths ?? [`Content-Length: ${body.length}`]),
      ...headers,
      'Connection: close',
    ]
    return exchange(site.url, Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]))
  }

  return {
    site,
    newPhone,
    ask: async (door, written) => {
      const { status, body } = await answerTo(door, written)
      return { status, message: body.data?.message ?? body.message ?? '' }
    },
    details: async (door, written) => (await answerTo(door, written)).body.data?.details ?? [],
    close: site.close,
  }
}

/** Sends the bytes and reads until the other side ends the connection. */
// biome-ignore lint/suspicious/noExplicitAny: what is answered is what the tests look at
function exchange(url: string, bytes: Buffer): Promise<{ status: number; body: any }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = '', ...rest] = Buffer.concat(chunks)
        .toString()
        .replace('HTTP/1.1 100 Continue\r\n\r\n', '')
        .split('\r\n\r\n')
      const text = rest.join('\r\n\r\n')
      resolve({ status: Number(head.split(' ')[1]), body: text === '' ? {} : JSON.parse(text) })
    })
  })
}
