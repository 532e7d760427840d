/**
 * Measures what it costs that rules judge a send: with the standard list, the same on block, and without any rule; and the standard
 * list once more, where its rules find each send.
 */
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

/** Numbers of few blocks, in a country where nobody was verified yesterday. */
const pumped: Measure = {
  ...measure,
  ask: ({ phonesFrom, ...more }) => ({ ...measure.ask!({ phonesFrom, ...more }), ...blocksFrom(phonesFrom) }),
}
const blocksFrom = (phonesFrom: number) => ({ values: { phonesFrom }, body: '{"phone":"*"}' })

/** Of each, what is left of the standard list. */
const lists: { slug: string; of: string; ruleOf: (rule: Rule) => Rule[]; measure?: Measure }[] = [
  { slug: 'unjudged', of: 'without rules', ruleOf: () => [] },
  { slug: 'judged', of: 'the standard list', ruleOf: (rule) => [rule] },
  { slug: 'blocking', of: 'the same on block', ruleOf: (rule) => [{ ...rule, do: 'block' }] },
  { slug: 'found', of: 'the standard list, which finds each', ruleOf: (rule) => [rule], measure: pumped },
]

type Rule = Awaited<ReturnType<Admin['protections']['find']>>['rules'][number]
type Admin = Awaited<ReturnType<typeof createAdmin>>

/** Of our checkout alone: everybody is new, has an address and a user of his own, and but for the last line, no rule finds one. */
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

async function openList(
  { slug, of, ruleOf, measure: own = measure }: (typeof lists)[number],
  setting: Setting,
): Promise<Side> {
  const service = setting.services[0]!
  const side = await openService(own, service, setting, {
    database: slug,
    prepare: async (url) => {
      await applyRules(service, url, ruleOf)
      // While a list is new, more is looked at.
      await setting.databases.run(slug, "update protection set updated_at = updated_at - interval '3 days'")
    },
  })
  return { ...side, name: `${side.name}, ${of}` }
}

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
