/** What the tests of channels are made of. */
import fc from 'fast-check'
import type { Outgoing, Report } from '../../../../src/delivery/channel.ts'
import type { Runtime } from '../../../../src/kit/runtime.ts'

export function outgoing(
  runtime: Pick<Runtime, 'now' | 'newId'>,
  { content, phone, ...changes }: Partial<Outgoing> & Pick<Outgoing, 'content' | 'phone'>,
): Outgoing {
  return {
    accountId: 'acct_default',
    id: `req_${runtime.newId()}`,
    leg: 1,
    connection: 'here',
    phone,
    content,
    attempt: 1,
    expiresAt: content.kind === 'verification' ? new Date(runtime.now().getTime() + 600_000) : null,
    ...changes,
  }
}

/** True reports of WhatsApp and Telegram, each with its signature under a secret that its documentation names. */
export const foreignReports: Report[] = [
  {
    headers: {
      'x-hub-signature-256': 'sha256=c236c758c9b2bd40b388a550eeca09eaca72384dd0aa5e7c31d19cddac5bba46',
    },
    body: Buffer.from('{"object":"whatsapp_business_account","entry":[]}'),
  },
  {
    headers: {
      'x-request-timestamp': '1700000123',
      'x-request-signature': 'f502f0908e42e257b2c98b405fcb0629d42473e19a73b46499dd384105bba46b',
    },
    body: Buffer.from(
      '{"request_id":"1","phone_number":"+391234567890","request_cost":0.01,' +
        '"delivery_status":{"status":"delivered","updated_at":1700000123},"payload":"req_01JD"}',
    ),
  },
]

const nastyLeaf = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    '\0',
    'a\0b',
    '\ud800',
    '__proto__',
    'é'.repeat(300),
    'x'.repeat(10_000),
    null,
    true,
    {},
    [],
  ),
  fc.constantFrom(0, -1, 1e12, 1e15, 8.64e15, 1e300, -1e15, 0.5, '1e99', '-1', 'NaN', '9'.repeat(30)),
  fc.constantFrom(
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '+275760-09-13T00:00:00.000Z',
    '-000001-01-01T00:00:00Z',
  ),
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.double(),
)

/** Bodies of the form of the sample, which is JSON or a form, and of any other. */
export function nastyLike(sample: string): fc.Arbitrary<Buffer> {
  return sample.startsWith('{') || sample.startsWith('[') ? nastyJson(JSON.parse(sample)) : nastyForm(sample)
}

function nastyForm(sample: string): fc.Arbitrary<Buffer> {
  const fields = [...new URLSearchParams(sample)]
  const name = fc.constantFrom(...fields.map(([one]) => one), '__proto__', '')
  const changed = fc.tuple(name, nastyLeaf).map(([place, leaf]) => {
    const form = new URLSearchParams(fields)
    form.set(place, typeof leaf === 'string' ? leaf : (JSON.stringify(leaf) ?? ''))
    return Buffer.from(form.toString())
  })
  const twice = changed.map((body) => Buffer.from(`${sample}&${body}`))
  const texts = fc.string({ unit: 'binary' }).map((text) => Buffer.from(text))
  return fc.oneof(
    { weight: 4, arbitrary: changed },
    twice,
    texts,
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  )
}

/** JSON of any form; above all `sample` with something in it that is not as it should be. */
export function nastyJson(sample: unknown): fc.Arbitrary<Buffer> {
  const places = placesIn(sample)
  const changed = fc.tuple(fc.constantFrom(...places), nastyLeaf).map(([place, leaf]) => replaced(sample, place, leaf))
  const twice = fc.tuple(changed, changed).map((both) => both.flat())
  return fc.oneof(
    { weight: 4, arbitrary: changed.map((value) => Buffer.from(JSON.stringify(value) ?? '')) },
    twice.map((value) => Buffer.from(JSON.stringify(value))),
    fc.json().map((text) => Buffer.from(text)),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  )
}

type Place = (string | number)[]

/** The way to each value, the whole included. */
function placesIn(value: unknown, here: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [here]
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [here, ...entries.flatMap(([name, child]) => placesIn(child, [...here, name]))]
}

function replaced(value: unknown, [name, ...rest]: Place, leaf: unknown): unknown {
  if (name === undefined) return leaf
  if (Array.isArray(value)) return value.with(Number(name), replaced(value[Number(name)], rest, leaf))
  const object = value as Record<string, unknown>
  return { ...object, [name]: replaced(object[name], rest, leaf) }
}
