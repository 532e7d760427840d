/** What people type into the forms of the dashboard: countries by name, days and times in the order of their country. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from './site.ts'

let site: Site
let owner: Awaited<ReturnType<Site['owner']>>
beforeAll(async () => {
  site = await openSite({ PUBLIC_URL: 'https://verify.example.com' })
  owner = await site.owner()
})
afterAll(() => site?.close())

const searchFor = async (fields: Record<string, string>) =>
  (await owner.get(`/messages?${new URLSearchParams(fields)}`)).text

describe('a day and a time', () => {
  it.each([
    ['2026-11-28T14:30', '2026-11-28T14:30'],
    ['2026-11-28 14:30', '2026-11-28T14:30'],
    ['2026-11-28 14:30:05 UTC', '2026-11-28T14:30:05'],
    ['2026-11-28T14:30:00.000Z', '2026-11-28T14:30'],
    ['2026-11-28 14:30 +01:00', '2026-11-28T13:30'],
    ['2026-11-28T23:30-0500', '2026-11-29T04:30'],
    ['2026-11-28', '2026-11-28T00:00'],
    ['28.11.2026', '2026-11-28T00:00'],
    [' 28. 11. 2026, 4:30 ', '2026-11-28T04:30'],
    ['28/11/2026', '2026-11-28T00:00'],
    ['11/28/2026 14:30', '2026-11-28T14:30'],
    ['11/11/2026', '2026-11-11T00:00'],
    ['28 Nov 2026, 13:00 UTC', '2026-11-28T13:00'],
    ['٢٠٢٦-١١-٢٨', '2026-11-28T00:00'],
    ['２０２６－１１－２８', '2026-11-28T00:00'],
  ])('as %j is read as %s in the search of messages', async (typed, read) => {
    const shown = await searchFor({ status: 'sent', from: typed })
    expect(shown).toContain(`name="from" type="datetime-local" value="${read}"`)
    expect(shown).not.toContain('aria-invalid')
  })

  it.each([
    ['05/11/2026', 'This can be 2026-05-11 or 2026-11-05. Write the year first.'],
    ['31.02.2026', 'This is no day and time.'],
    ['2026-13-01', 'This is no day and time.'],
    ['2026-11-28 25:00', 'This is no day and time.'],
    ['2026-11-28 14:30 CET', 'or with its zone: 2026-11-28 14:30 +01:00'],
    ['14:30', 'This is no day and time.'],
    ['yesterday', 'This is no day and time.'],
  ])('as %j is refused beside its field, which keeps it, and no search is made without it', async (typed, words) => {
    const shown = await searchFor({ to: typed })
    expect(shown).toContain(`name="to" type="text" value="${typed}"`)
    expect(shown).toMatch(/id="to-fault">[^<]+</)
    expect(shown).toContain(words)
    expect(shown).not.toContain('<caption>Messages')
  })
})

describe('the countries of a channel', () => {
  const save = async (countries: string) => {
    const version = await versionOf('/new-channel?kind=sms&provider=twilio')
    const sid = `AC${'0123456789abcdef'.repeat(2)}`
    const twilio = { kind: 'sms', id: 'sms', provider: 'twilio', account_sid: sid, auth_token: 'a-token', from: 'Acme' }
    return owner.post('/new-channel', { ...twilio, version, countries })
  }

  it.each<[string, string]>([
    ['DE, FR', 'DE, FR'],
    ['de fr', 'DE, FR'],
    ['DE;FR\r\ngb', 'DE, FR, GB'],
    ['uk', 'GB'],
    ['United Kingdom, Deutschland', 'GB, DE'],
    ['U.S.A., Österreich', 'US, AT'],
    ['Côte d’Ivoire', 'CI'],
    ['germany france', 'DE, FR'],
    ['日本', 'JP'],
  ])('as %j are read as %s', async (typed, read) => {
    expect((await save(typed)).status).toBe(303)
    expect((await owner.get('/channels/sms')).text).toContain(`name="countries" type="text" value="${read}"`)
    await owner.post('/channels/sms/remove', { version: await versionOf('/channels/sms') })
  })

  it.each(['Germny', 'DE, XX', 'Europe', '49', 'DE, United Kingdm'])(
    'as %j are refused beside the field',
    async (typed) => {
      const { status, text } = await save(typed)
      expect(status).toBe(400)
      expect(text).toContain(`name="countries" type="text" value="${typed}"`)
      expect(text).toMatch(/id="countries-fault">[^<]*must be a two-letter country code/)
    },
  )

  const versionOf = async (path: string) =>
    /name="version" value="([^"]*)"/.exec((await owner.get(path)).text)?.[1] ?? ''
})
