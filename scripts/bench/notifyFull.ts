/** Measures what a notification costs that has all that a request can have: beside the same without, on the same service. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Figure, type Findings, medianFigure, ratiosBetween } from './figure.ts'
import { type Measure, measures } from './measures.ts'
import { runInTurn } from './requests.ts'
import type { Setting } from './setting.ts'
import { openService, type Side } from './side.ts'

const hourMs = 3600_000

const template = {
  ...{ slug: 'parcel', category: 'utility', default_locale: 'en', text: 'Hello {{name}}' },
  locales: { de: { text: 'Hallo {{name}}' }, 'pt-BR': { text: 'Olá {{name}}' } },
}

const whole = {
  ...{ phone: '*', template: template.slug, variables: { name: 'Ada' } },
  ...{ locale: 'de_AT', reference: 'order:*', expires_in: 600, channels: ['sandbox'] },
}

const notify = measures.find(({ name }) => name === 'notify')!
/** For the same people as the others. */
const bare: Measure = {
  ...notify,
  name: 'notify-full',
  ask: ({ phonesFrom: peopleFrom, ...supply }) => ({
    ...notify.ask!({ ...supply, phonesFrom: peopleFrom }),
    ...{ values: { peopleFrom } },
  }),
}

/** @param moreOf the request beside what every one has */
const full = (moreOf: () => object): Measure => ({
  ...bare,
  prepare: async ({ settings, command }, databaseUrl) => {
    const file = join(settings.DATA_DIR!, 'templates.yaml')
    await writeFile(file, JSON.stringify([template]))
    await command(['templates', 'apply', file], databaseUrl)
  },
  ask: (supply) => ({ ...bare.ask!(supply), body: JSON.stringify({ ...whole, ...moreOf() }) }),
})

const lists: readonly { slug: string; of: string; measure: Measure }[] = [
  { slug: 'notify_bare', of: 'phone, template and variables', measure: bare },
  { slug: 'notify_whole', of: 'locale, reference, expires_in and channels too', measure: full(() => ({})) },
  {
    slug: 'notify_later',
    of: 'and send_at',
    measure: full(() => ({ send_at: new Date(Date.now() + hourMs).toISOString() })),
  },
]

/** Of our checkout alone. */
export async function measureNotifyFull(setting: Setting): Promise<Findings> {
  const sides = await Promise.all(lists.map((list) => openList(list, setting)))
  try {
    const found = await runInTurn(sides, bare, setting)
    const without = found[0] as Figure[]
    return { figures: found.map(medianFigure), ratios: found.slice(1).flatMap((list) => ratiosBetween(list, without)) }
  } finally {
    await Promise.all(sides.map(({ close }) => close()))
  }
}

async function openList({ slug, of, measure }: (typeof lists)[number], setting: Setting): Promise<Side> {
  const side = await openService(measure, setting.services[0]!, setting, { database: slug })
  return { ...side, name: `${side.name}, ${of}` }
}
