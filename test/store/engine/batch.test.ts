import { expect, it } from 'vitest'
import { batch, keyColumns } from '../../../src/store/engine/batch.ts'
import { read } from '../../../src/store/engine/session.ts'
import { openCommit } from '../../support/commit.ts'

const { commit } = await openCommit()

interface Line {
  accountId: string
  id: string
  at: Date | null
  count?: number
  isLast: boolean
}

const g = batch<Line>('g', {
  ...keyColumns,
  at: ['timestamptz', (line) => line.at],
  written: ['text', (line) => line.at],
  count: ['int', (line) => line.count],
  is_last: ['boolean', (line) => line.isLast],
})

const lines: Line[] = [
  {
    accountId: 'a "quoted", {braced} \\ one',
    id: '',
    at: new Date('2026-03-01T01:02:03.456Z'),
    count: 7,
    isLast: false,
  },
  { accountId: 'NULL', id: 'x', at: null, isLast: true },
]

it('A statement gets the columns of a list by their names, and the places of its rows', async () => {
  const rows = read<object>(`
    select g.account_id, g.id, (extract(epoch from g.at) * 1000)::float8 as at, g.written, g.count, g.is_last, g.n::int as n
    from ${g.numbered} order by g.n`)
  expect(await commit.reader.run(rows, g.valuesOf(lines))).toEqual([
    {
      ...{ account_id: lines[0]!.accountId, id: '', at: lines[0]!.at!.getTime(), written: '2026-03-01T01:02:03.456Z' },
      ...{ count: 7, is_last: false, n: 1 },
    },
    { account_id: 'NULL', id: 'x', at: null, written: null, count: null, is_last: true, n: 2 },
  ])
  expect(await commit.reader.run(rows, g.valuesOf([]))).toEqual([])
})

it('A statement names the span of the ids of a list, and the parameters behind it', async () => {
  const ids = ['01JZZZZZZZZZZZZZZZZZZZZZZZ', '01JAAAAAAAAAAAAAAAAAAAAAAA'].map((id) => `req_${id}`)
  const spanned = batch<string>('g', { id: ['text', (id) => id] }, { first: 2, ids: 'id' })
  const [more] = spanned.more()
  const rows = read<{ isIn: boolean }>(`
    select ${spanned.inIdRange('w.id')} as "isIn" from ${spanned.rows} cross join unnest($1::text[], ${more}::text[]) as w (id, more)
    where g.id = '${ids[0]}'`)
  const asked = [ids[0]!, ids[1]!, 'req_01JB0000000000000000000000', 'req_01K00000000000000000000000']
  const found = await commit.reader.run(rows, [asked, ...spanned.valuesOf(ids), asked])
  expect(found.map(({ isIn }) => isIn)).toEqual([true, true, true, false])
})
