/** The phones of the sandbox, as those see them who build with it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { person } from '../../support/person.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

const accountId = 'acct_default'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const phonesOf = (...who: Parameters<typeof person>) => server.app.as(person(...who)).sandboxPhones

it('are listed with what came last, the latest first; as are the texts of each', async () => {
  const [one, other] = [newPhone(), newPhone()]
  const first = await server.test.send(one)
  await server.work()
  await server.advance(60)
  await server.test.send(other)
  await server.work()
  await server.advance(60)
  const last = await server.test.send(one)
  await server.work()
  const list = await phonesOf('developer').list(accountId)
  expect(list.map(({ phone, count }) => [phone, count])).toEqual([
    [one, 2],
    [other, 1],
  ])
  const texts = await phonesOf('developer').texts(accountId, one)
  expect(texts.map(({ id }) => id)).toEqual([last, first])
  expect(list[0]).toMatchObject({ text: texts[0]?.text, at: server.runtime.now() })
  expect(texts[0]?.text).toContain('000000')
})

it('show a text when the phone has it, and not while it is under way', async () => {
  const slow = '+14155550140'
  await server.test.send(slow)
  await server.work()
  const seen = async () => [
    (await phonesOf('owner').texts(accountId, slow)).length,
    (await phonesOf('owner').list(accountId)).filter(({ phone }) => phone === slow).length,
  ]
  expect(await seen()).toEqual([0, 0])
  await server.advance(5)
  expect(await seen()).toEqual([1, 1])
})

it('are for developers of the account alone', async () => {
  const phone = newPhone()
  await server.test.send(phone)
  await server.work()
  await server.app.accounts.create('another')
  const { id: other } = await server.app.accounts.require('another')
  expect(await phonesOf('developer', other).list(other)).toEqual([])
  expect(await phonesOf('developer', other).texts(other, phone)).toEqual([])
  await expect(phonesOf('developer').list(other)).rejects.toThrow('needs the role')
  await expect(phonesOf('viewer').list(accountId)).rejects.toThrow('needs the role developer')
  await expect(phonesOf('viewer').texts(accountId, phone)).rejects.toThrow('needs the role developer')
})
