/** What `docs/channels.md` says of WhatsApp is what the code does. */
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { classification, type Verdict } from '../../../../src/delivery/channels/whatsapp/outcome.ts'
import { templateSettings } from '../../../../src/delivery/channels/whatsapp/template.ts'
import { createWhatsappKind } from '../../../../src/delivery/channels/whatsapp/whatsapp.ts'
import { bashBlocksOf, pageOf, sectionOf } from '../../../support/docs.ts'
import { localGuard } from '../../../support/guard.ts'

const whatsapp = createWhatsappKind({ guard: localGuard })

const page = pageOf('docs/channels.md')
const section = sectionOf('docs/channels.md', 'WhatsApp')
const lists = Array.from(
  page.matchAll(/^```yaml\n(.*?)\n```$/gms),
  ([, text]) => parse(text!) as Record<string, unknown>[],
)

/** What the page calls each verdict. */
function findTitle(verdict: Verdict): string {
  if (verdict.kind === 'down') return verdict.of === 'template' ? 'Down for one template' : 'Down'
  return { retry: 'Tried again', unknown: 'Left open', failed: 'Failed' }[verdict.kind]
}

function parseCells(text: string): string[][] {
  const rows = text.match(/^\|.*\|$/gm) ?? []
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

it('the page has every code, under what becomes of the message', () => {
  const [, ...parts] = section.split('### What a refusal means')[1]!.split(/^\*\*/m)
  const said = parts.map((part) => {
    const codes = parseCells(part).flatMap(([first = '']) => first.replace(' to ', '-').split(', '))
    return [part.slice(0, part.indexOf('**')), codes.filter((code) => code !== 'any other').toSorted()]
  })
  const known = Map.groupBy(
    classification.flatMap(({ verdict, codes }) =>
      Object.keys(codes).map((code) => [findTitle(verdict), code] as const),
    ),
    ([title]) => title,
  )
  expect(said).toEqual([...known].map(([title, pairs]) => [title, pairs.map(([, code]) => code).toSorted()]))
})

it("the page's list of connections can be applied, and the page names every member with its default", () => {
  const entry = lists.flat().find(({ kind }) => kind === 'whatsapp')!
  const { id: _id, kind: _kind, countries: _countries, failover_seconds: _seconds, ...rest } = entry
  const settings = whatsapp.settings.parse(rest)
  const table = parseCells(section.split('###')[0]!)
  expect(table.map(([name]) => name?.slice(1, -1)).toSorted()).toEqual(Object.keys(settings).toSorted())
  for (const [name = '', value = ''] of table.filter(([, value]) => value !== '')) {
    expect([name, value]).toEqual([name, `\`${settings[name.slice(1, -1) as keyof typeof settings]}\``])
  }
})

it('the template that the page has can be applied', () => {
  const [template] = lists.flat().filter((entry) => 'whatsapp' in entry)
  expect(templateSettings.safeParse(template?.whatsapp).success).toBe(true)
})

it('what the page has its reader send is JSON', () => {
  const bodies = bashBlocksOf(section.replace(/^ {3}/gm, '')).flatMap((block) => block.match(/-d '(.*?)'/s)?.[1] ?? [])
  expect(bodies.map((body) => Object.keys(JSON.parse(body) as object)[0])).toEqual([
    'messaging_product',
    'name',
    'phone',
  ])
})
