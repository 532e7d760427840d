/** The standard list, as if every rule of it blocked, on the first day of a service. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { phoneIn, placeOf } from '../../scripts/attack/place.ts'
import { createChance } from '../../scripts/attack/random.ts'
import { writtenRule } from '../../src/domain/protection/rule.ts'
import { standardList } from '../../src/domain/protection/standardList.ts'
import { startServer, type TestServer } from '../support/server.ts'

const code = '135790'
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  server.runtime.randomDigits = (count) => code.repeat(2).slice(0, count)
  const { id } = await server.app.accounts.require('default')
  const rules = standardList.map((rule) => writtenRule({ ...rule, do: 'block' }))
  await server.app.protections.apply(id, { rules, fail: 'open', budgets: [] }, 'a launch')
  await server.advance(5)
})
afterAll(() => server.close())

const chance = createChance(1)
const countries = ['DE', 'FR', 'PL', 'NL', 'US'].map(placeOf)
async function send(country: string, index: number) {
  const signals = { ip: `10.1.${index >> 8}.${index & 255}`, user_id: `${country}-${index}` }
  const body = { phone: phoneIn(placeOf(country), chance), signals }
  const { status, data } = await server.live.post<{ request_id: string }>('/v1/verify/send', body)
  return { status, id: data.request_id }
}

it('of 150 people who come at once, none is stopped, and a pumper among them is', async () => {
  const people = await Promise.all(
    Array.from({ length: 150 }, (_, index) => send(countries[index % countries.length]!.country, index)),
  )
  expect(people.filter(({ status }) => status !== 200)).toEqual([])
  await server.advance(15)
  const pumped = await Promise.all(Array.from({ length: 400 }, (_, index) => send('KG', 1000 + index)))
  expect(pumped.filter(({ status }) => status === 200)).toHaveLength(150)
  // Of each country, four in five.
  for (const { id } of people.filter((_, index) => index % 5 !== Math.floor(index / 5) % 5))
    expect(await server.live.check(id, code)).toMatchObject({ verified: true })
  // All of them have had their time.
  await server.advance(600)
  for (const { country } of countries) expect(await send(country, 2000)).toMatchObject({ status: 200 })
  expect(await send('KG', 2000)).toMatchObject({ status: 403 })
})
