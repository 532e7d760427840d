/** An auth system whose codes come through an inlet, while versions change. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type postgres from 'postgres'
import { expect } from 'vitest'
import { type Posts, startPosts } from './posts.ts'
import type { Pair, Site, Version } from './site.ts'

const secret = 'the secret of an inlet that is long enough'

/** @param through answers the posts; others deliver them too. @returns posts of the code that each phone was sent */
export async function startInletPosts(site: Site, version: Version, through: Pair): Promise<Posts<string>> {
  const file = join(site.settings.DATA_DIR!, 'inlets.yaml')
  await writeFile(file, JSON.stringify([{ id: 'login', kind: 'plain', mode: 'live', secret, brand_name: 'Acme' }]))
  expect(await site.command(version, 'inlets', 'apply', file)).toMatchObject({ code: 0 })
  return startPosts(20, async (number) => {
    const [phone, code] = [`+1416${number}`, String(number).slice(1)]
    // Every other one is a text with the code in it.
    const said = number % 2 ? { code } : { text: `Your code is ${code}` }
    const answer = await through.post(
      '/inlets/acct_default/login',
      { phone, ...said },
      { Authorization: `Bearer ${secret}` },
    )
    expect(answer.status, await answer.text()).toBe(200)
    return [phone, code]
  })
}

/** Each phone has got its code, once. */
export async function expectOnPhones(sql: postgres.Sql, posted: ReadonlyMap<string, string>): Promise<void> {
  const rows = await sql<
    { phone: string; text: string }[]
  >`select phone, text from sandbox_message where phone like '+1416%'`
  expect(posted.size).toBeGreaterThan(20)
  expect(rows).toHaveLength(posted.size)
  for (const { phone, text } of rows) expect(text).toContain(posted.get(phone))
}
