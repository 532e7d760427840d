/** Values as serializers and generators write them: null for what is not set, members twice, characters that cannot be kept. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Door, type Doors, openDoors } from './doors.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

it.each<[string, string, string]>([
  ['an optional text', '"brand_name": null', '/brand_name'],
  ['an optional object', '"signals": null', '/signals'],
  ['a member of one', '"signals": {"ip": null}', '/signals/ip'],
])('null for %s is refused by the API, which says to leave it out', async (_what, member, field) => {
  const body = (phone: string) => `{"phone": "${phone}", ${member}}`
  const message = expect.stringContaining('not null: leave out what is not set')
  expect(await doors.details('api', { body })).toEqual([{ field, code: 'wrong_type', message }])
})

it.each([
  ['a mark behind a space, which is allowed', 'ACME GmbH™', 'it has U+2122, as character 10'],
  ['a space that is none', 'Acme\u00a0Shop', 'it has U+00A0, as character 5'],
  ['a mark that cannot be seen', 'Acme Shop\u200b', 'it has U+200B, which cannot be seen, as character 10'],
])('a brand with %s is told of the character that is refused', async (_what, brand, words) => {
  const body = (phone: string) => JSON.stringify({ phone, brand_name: brand })
  const message = expect.stringContaining(words)
  expect(await doors.details('api', { body })).toEqual([{ field: '/brand_name', code: 'wrong_format', message }])
})

it('null for what an inlet does not need is as if it was not there', async () => {
  const body = (phone: string) => `{"phone": "${phone}", "code": "4829", "text": null, "locale": null}`
  expect((await doors.ask('inlet', { body })).status).toBe(200)
})

it.each<[string, (phone: string) => string, string]>([
  ['a phone', (phone) => `{"phone": "${phone}", "phone": "+14155550199"}`, '/phone'],
  ['the same phone', (phone) => `{"phone": "${phone}", "phone": "${phone}"}`, '/phone'],
  ['a name that is escaped', (phone) => `{"phone": "${phone}", "\\u0070hone": "${phone}"}`, '/phone'],
  ['a member of an object', (phone) => `{"phone": "${phone}", "signals": {"ip": "::1", "ip" : "::1"}}`, '/signals/ip'],
])('%s that comes twice is refused by the API by its name', async (_what, body, field) => {
  expect(await doors.details('api', { body })).toEqual([{ field, code: 'repeated', message: 'must come once' }])
})

it('the same name in two objects, or in a text, is not twice', async () => {
  const body = (phone: string) => `{"phone": "${phone}", "text": "4829, \\"phone\\": b", "user": {"phone": 1}}`
  expect((await doors.ask('inlet', { body })).status).toBe(200)
})

it('a member that comes twice is refused by an inlet that reads it, and by no other', async () => {
  const twice = await doors.ask('inlet', {
    body: (phone) => `{"phone": "${phone}", "phone": "+14155550199", "code": "4829"}`,
  })
  expect(twice).toEqual({ status: 400, message: 'The body lacks JSON in which phone comes once (/phone).' })
  const other = (phone: string) => `{"phone": "${phone}", "code": "4829", "user": {"id": 1, "id": 2}}`
  expect((await doors.ask('inlet', { body: other })).status).toBe(200)
})

describe.each<[string, string, string]>([
  ['U+0000', '\\u0000', '%00'],
  ['half of a character', '\\ud800', '%ED%A0%80'],
])('a text with %s', (_what, escaped, encoded) => {
  it.each<[Door, (phone: string) => string, string]>([
    ['api', (phone) => `{"phone": "${phone}", "brand_name": "a${escaped}b"}`, 'details names every fault'],
    ['twilio', (phone) => `To=%2B${phone.slice(1)}&Channel=sms&CustomFriendlyName=a${encoded}b`, 'CustomFriendlyName'],
    ['inlet', (phone) => `{"phone": "${phone}", "text": "4829${escaped}"}`, 'text (/text) without U+0000'],
  ])('is refused at the door of %s in words', async (door, body, words) => {
    expect(await doors.ask(door, { body })).toEqual({ status: 400, message: expect.stringContaining(words) })
  })
})

it.each<[string, string, string]>([
  ['nothing', '', 'The body is empty: send a JSON object.'],
  ['a line end', '\n', 'The body is empty: send a JSON object.'],
  ['single quotes', "{'phone': '+14155550100'}", 'The body is not valid JSON'],
  ['a comma too many', '{"phone": "+14155550100",}', 'The body is not valid JSON'],
  ['two documents', '{"phone": "+14155550100"}\n{}', 'The body is not valid JSON'],
])('a body of %s is told what it is', async (_what, text, words) => {
  expect(await doors.ask('api', { body: () => text })).toEqual({ status: 400, message: expect.stringContaining(words) })
})

it.each<[string, (phone: string) => string, string]>([
  ['a phone that is a number', (phone) => `{"phone": ${phone.slice(1)}}`, '/phone'],
  ['JSON within JSON', (phone) => JSON.stringify(JSON.stringify({ phone })), ''],
  ['a list of one', (phone) => JSON.stringify([{ phone }]), ''],
])('%s is not taken for what it looks like', async (_what, body, field) => {
  expect(await doors.details('api', { body })).toEqual([expect.objectContaining({ field, code: 'wrong_type' })])
})

it('numbers for a phone and a code are taken by an inlet, whose sender writes them so', async () => {
  const phone = doors.newPhone()
  const body = () => `{"phone": ${phone.slice(1)}, "code": 482913}`
  expect((await doors.ask('inlet', { body })).status).toBe(200)
  await expect.poll(() => doors.site.texts(phone)).toEqual([expect.stringContaining('482913')])
})
