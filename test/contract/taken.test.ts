/** What counts as taken up: a field that was read by its name, however deep, and not one that was only copied. */
import { describe, expect, it } from 'vitest'
import { fieldsOf, inputOf, watched, watchHandlers } from './taken.ts'

const text = { type: 'string' }
const item = { properties: { name: text, more: { properties: { deep: text } } } }
const input = inputOf({
  parameters: [
    { name: 'id', in: 'path' },
    { name: 'limit', in: 'query' },
    { $ref: '#/components/parameters/IdempotencyKey' },
  ],
  requestBody: {
    content: {
      'application/json': {
        schema: {
          properties: { phone: text, list: { items: item } },
          oneOf: [{ properties: { by: text, one: text } }, { properties: { by: text, other: text } }],
        },
      },
    },
  },
})

const given = {
  path: { id: 'req_1' },
  query: { limit: 5 },
  header: { 'Idempotency-Key': 'k' },
  once: undefined,
  body: { phone: '+1', by: 'a', one: '1', list: [{ name: 'n', more: { deep: 'd' } }] },
}
type Given = typeof given

function readBy(work: (input: Given) => unknown): string[] {
  const read = new Set<string>()
  work(watched(given, input, (field) => read.add(field)))
  return [...read]
}

describe('the fields that a handler takes up', () => {
  it('are looked for among all that the contract declares, of every kind of a body', () => {
    const body = ['/phone', '/list', '/list/*/name', '/list/*/more', '/list/*/more/deep', '/by', '/one', '/other']
    expect(new Set(fieldsOf(input))).toEqual(new Set(['path:id', 'query:limit', 'header:Idempotency-Key', ...body]))
  })

  it.each<[string, (input: Given) => unknown, string[]]>([
    ['by name', ({ path, query: { limit } }) => [limit, path.id], ['query:limit', 'path:id']],
    [
      'in a function that is given the whole',
      ({ query }) => ((whole: Given['query']) => whole.limit)(query),
      ['query:limit'],
    ],
    ['in a list', ({ body: { list } }) => list.map(({ name }) => name), ['/list', '/list/*/name']],
    ['deep', ({ body }) => body.list[0]?.more.deep, ['/list', '/list/*/more', '/list/*/more/deep']],
    ['in a copy', ({ body }) => ({ ...body }).list[0]?.name, ['/list/*/name']],
    ['as doing the work once', ({ once }) => once, ['header:Idempotency-Key']],
    ['as a header', ({ header }) => header['Idempotency-Key'], ['header:Idempotency-Key']],
  ])('are those that are read %s', (_how, work, fields) => {
    expect(readBy(work)).toEqual(fields)
  })

  it.each<[string, (input: Given) => unknown]>([
    ['spread', ({ query, body }) => ({ ...query, ...body })],
    ['the rest', ({ query: { ...query } }) => query],
    ['entries', ({ query }) => Object.entries(query)],
    ['JSON', ({ query }) => JSON.stringify(query)],
    ['a copy', ({ query }) => Object.assign({}, query)],
  ])('are not those of a whole: %s', (_how, work) => {
    expect(readBy(work)).toEqual([])
  })

  it('are known of each handler, until it is given back', async () => {
    const act = async () => ({}) as never
    const listMessages = { act: ({ query: { limit } }: Given) => act.call(limit), reply: (done: never) => done }
    const handlers = { listMessages } as never
    const before = listMessages.act
    const taken = watchHandlers(handlers)
    await listMessages.act({ ...given, query: { limit: 1 } })
    expect([taken.has('listMessages', 'query:limit'), taken.has('listMessages', 'query:phone')]).toEqual([true, false])
    taken.giveBack()
    expect(listMessages.act).toBe(before)
  })
})
