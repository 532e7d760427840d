/** The versions of a template: what each changed, by whom, and a button that puts it back. */
import { changesBetween } from '../../../../domain/templates/template.ts'
import type { Template, TemplateVersion } from '../../../../store/template.ts'
import { type Html, html } from '../../../html.ts'
import { actButton } from '../../parts/act.ts'
import { renderTable } from '../../parts/table.ts'
import { timeOf } from '../../parts/time.ts'

/** @param earlier the latest first @param mayChange whether the person may put one back */
export function renderVersions(
  template: Template,
  earlier: readonly TemplateVersion[],
  mayChange: boolean,
): Html | false {
  const { slug, version: now } = template
  const rows = [template, ...earlier].map((row, index) => ({ ...row, before: earlier[index] }))
  const back = (version: number) =>
    actButton({
      to: `/templates/${slug}`,
      fields: { do: 'back', version: String(version) },
      label: `Put ${version} back`,
      confirm: `Put version ${version} of ${slug} back: it becomes version ${now + 1}.`,
    })
  return (
    earlier.length > 0 &&
    html`<section class="panel"><h2>Versions</h2>
${renderTable({
  caption: 'Versions',
  rows,
  columns: [
    { name: 'Version', cell: ({ version }) => html`${version}${version === now && html` <small>now</small>`}` },
    { name: 'Changed', cell: ({ before, ...row }) => (before && changesBetween(before, row).join(', ')) || '–' },
    { name: 'By', cell: ({ updatedBy }) => updatedBy ?? '–' },
    { name: 'At', cell: ({ updatedAt }) => timeOf(updatedAt) },
    ...(mayChange ? [{ name: 'Put back', cell: ({ version }: Template) => version !== now && back(version) }] : []),
  ],
})}</section>`
  )
}
