import { expect, it } from 'vitest'
import { type Raw, toRows } from '../../../src/store/engine/row.ts'
import { read, write } from '../../../src/store/engine/session.ts'
import { openCommit } from '../../support/commit.ts'

const { commit } = await openCommit()

interface Thing {
  id: string
  madeAt: Date
  endedAt: Date | null
  stepCount: number
  isLast: boolean
  names: string[] | null
  sealed: Uint8Array | null
  detail: Record<string, unknown>
}

const things = toRows<Thing>('thing', {
  id: 'text',
  madeAt: 'timestamptz',
  endedAt: 'timestamptz',
  stepCount: 'bigint',
  isLast: 'boolean',
  names: 'text[]',
  sealed: 'bytea',
  detail: 'jsonb',
})
const full: Thing = {
  ...{
    id: 'full',
    madeAt: new Date('2026-02-03T04:05:06.789Z'),
    endedAt: new Date(0),
    stepCount: 2 ** 40,
    isLast: true,
  },
  ...{
    names: ['a b', '{"c"}', 'NULL'],
    sealed: Buffer.from([0, 92, 255]),
    detail: { list: [1, null], of: { it: "'s" } },
  },
}
const bare: Thing = { ...full, id: 'bare', endedAt: null, isLast: false, names: null, sealed: null, detail: {} }

it('A row comes back as it was written, in whatever form and zone the database writes times', async () => {
  const insert = write(things.insert)
  const all = read<Raw<Thing> & { beside: number }>(
    `select ${things.columns('t')}, 1 as beside from thing t order by t.id desc`,
  )
  const found = await commit.transaction(async (tx) => {
    await tx.run(
      write(`create temp table thing (id text, made_at timestamptz, ended_at timestamptz, step_count bigint, is_last boolean,
        names text[], sealed bytea, detail jsonb) on commit drop`),
      [],
    )
    await tx.run(
      write(`select set_config('datestyle', 'SQL, DMY', true), set_config('timezone', 'Asia/Kolkata', true)`),
      [],
    )
    for (const row of [full, bare]) await tx.run(insert, things.valuesOf(row))
    return tx.run(all, [])
  })
  expect(found.map(things.rowOf)).toEqual([
    { ...full, beside: 1 },
    { ...bare, beside: 1 },
  ])
})

it('What is set of a row are the columns that are given, also when they are given as null', () => {
  expect(things.set({ endedAt: null, isLast: true }, 3)).toEqual({
    assignments: 'ended_at = $3::text::timestamptz, is_last = $4::boolean',
    values: [null, true],
  })
})
