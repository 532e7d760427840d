/** The forms of channels in the dashboard, as a browser reads and sends them. */
import type { Fields, Visitor } from './visitor.ts'

/** What the form on that page sends when nobody touches it: as a browser does, without the fields that are empty secrets. */
export async function formOn(visitor: Visitor, path: string): Promise<Fields> {
  const { text } = await visitor.get(path)
  const [form = ''] = /<form method="post" action="[^"]*" class="stack">[\s\S]*?<\/form>/.exec(text) ?? []
  const fields: Fields = {}
  for (const [tag] of form.matchAll(/<input [^>]*>/g)) {
    const [, name = ''] = / name="([^"]*)"/.exec(tag) ?? []
    if (!tag.includes('type="checkbox"')) fields[name] = / value="([^"]*)"/.exec(tag)?.[1] ?? ''
  }
  for (const [, name = '', inner = ''] of form.matchAll(/<select [^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g)) {
    fields[name] = /value="([^"]*)" selected/.exec(inner)?.[1] ?? ''
  }
  return fields
}

/** The fault beside a field. */
export function faultAt(text: string, field: string): string | undefined {
  return new RegExp(`<small class="bad" id="${field}-fault">([^<]*)</small>`).exec(text)?.[1]
}
