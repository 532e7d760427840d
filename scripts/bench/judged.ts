/** Measures what it costs that rules judge a send: with the standard list, the same on block, and without any rule. */
import { createAdmin } from '../../src/app/admin.ts'
import { loadConfig } from '../../src/settings/config.ts'
import { type Figure, type Findings, medianFigure, ratiosBetween } from './figure.ts'
import type { Measure } from './measures.ts'
import { runInTurn } from './requests.ts'
import type { Service } from './service.ts'
import type { Setting } from './setting.ts'
import { openService, type Side } from './side.ts'

const measure: Measure = {
  name: 'judged',
  title: '',
  bare: 'insert',
  bareAsk: () => {
    throw new Error('No bare server is asked.')
  },
  // All texts are as long: user names are numbers.
  ask: ({ key, phonesFrom: peopleFrom }) => ({
    ...{ method: 'POST', path: '/v1/verify/send', key, values: { peopleFrom }, expected: { status: 200 } },
    body: '{"phone":"*","signals":{"ip":"*","user_id":"*"}}',
  }),
}

/** Of each, what is left of the standard list. */
const lists: { slug: string; of: string; ruleOf: (rule: Rule) => Rule[] }[] = [
  { slug: 'unjudged', of: 'without rules', ruleOf: () => [] },
  { slug: 'judged', of: 'the standard list', ruleOf: (rule) => [rule] },
  { slug: 'blocking', of: 'the same on block', ruleOf: (rule) => [{ ...rule, do: 'block' }] },
]

type Rule = Awaited<ReturnType<Admin['protections']['find']>>['rules'][number]
type Admin = Awaited<ReturnType<typeof createAdmin>>

/** Of our checkout alone: everybody is new, has an address and a user of his own, and no rule finds one. */
export async function measureJudged(setting: Setting): Promise<Findings> {
  const sides = await Promise.all(lists.map((list) => openList(list, setting)))
  try {
    const found = await runInTurn(sides, measure, setting)
    const without = found[0] as Figure[]
    return { figures: found.map(medianFigure), ratios: found.slice(1).flatMap((list) => ratiosBetween(list, without)) }
  } finally {
    await Promise.all(sides.map(({ close }) => close()))
  }
}

async function openList({ slug, of, ruleOf }: (typeof lists)[number], setting: Setting): Promise<Side> {
  const service = setting.services[0]!
  const side = await openService(measure, service, setting, {
    database: slug,
    prepare: async (url) => {
      await setting.databases.run(slug, goodDaySql)
      await applyRules(service, url, ruleOf)
      // While a list is new, more is looked at.
      await setting.databases.run(slug, "update protection set updated_at = updated_at - interval '3 days'")
    },
  })
  return { ...side, name: `${side.name}, ${of}` }
}

/** So many were verified yesterday that no send of today is too many for its country. */
const goodDaySql = `
  insert into figure (account_id, mode, grain, at, kind, connection, country, created, sent, delivered, verified, failed, expired,
    latencies)
  select 'acct_default', mode, 'day', date_trunc('day', now(), 'UTC') - interval '1 day', 'verification', 'sandbox', 'DE', n, n, n, n, 0, 0, '{}'
  from unnest(array['live', 'test']) as mode, (values (100000000)) as v (n)`

async function applyRules(service: Service, databaseUrl: string, ruleOf: (rule: Rule) => Rule[]): Promise<void> {
  const admin = await createAdmin(loadConfig({ ...service.settings, DATABASE_URL: databaseUrl }, { role: 'cli' }))
  try {
    const { id } = await admin.accounts.require('default')
    const { rules } = await admin.protections.find(id)
    await admin.protections.apply(id, { rules: rules.flatMap(ruleOf), fail: 'open', budgets: [] }, 'measuring')
  } finally {
    await admin.close()
  }
}
