/** An account's own wording of its codes: what it may say, who may change it, and from when on it is sent. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GivenWording } from '../../../src/domain/sending/wordings/wordingForm.ts'
import { newPhone, startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
let beside: TestServer
let accounts = 0
beforeAll(async () => {
  server = await startServer()
  beside = await startServer({ beside: server })
})
afterAll(async () => {
  await beside.close()
  await server.close()
})

/** An account of its own with a test key. */
async function newAccount() {
  accounts += 1
  const { id, name } = await server.app.accounts.create(`account ${accounts}`)
  const key = await server.key({ account: name, mode: 'test' })
  const wordings = server.app.wordings
  return {
    id,
    key,
    apply: (given: Partial<GivenWording>) => wordings.apply(id, { texts: {}, ...given }),
    textOf: async (body: object = {}, through = server) => {
      const phone = newPhone()
      await through.as(key).send(phone, { brand_name: 'Acme', ...body })
      await server.work()
      return (await server.phone(phone)).at(-1)?.text
    },
  }
}

const german = 'Hallo! {{code}} ist dein {{brand}}-Code.'

describe('the wording of an account', () => {
  it('is sent from then on, and only for that account', async () => {
    const [account, other] = [await newAccount(), await newAccount()]
    expect(await account.textOf()).toBe('Your Acme code is 000000')
    await account.apply({ texts: { de: german }, default: 'DE', domain: 'Acme.com' })
    expect(await account.textOf()).toBe('Hallo! 000000 ist dein Acme-Code.\n@acme.com #000000')
    expect(await account.textOf({ locale: 'fr' })).toContain('votre code Acme')
    expect(await other.textOf()).toBe('Your Acme code is 000000')
  })

  it('is known in every process within five seconds', async () => {
    const account = await newAccount()
    expect(await account.textOf({}, beside)).toBe('Your Acme code is 000000')
    await account.apply({ texts: { en: 'Type {{code}}.' } })
    server.runtime.advance(5)
    expect(await account.textOf({}, beside)).toBe('Type 000000.')
  })

  it('is replaced as a whole, and written down without its texts', async () => {
    const { id, apply } = await newAccount()
    await apply({ texts: { de: german, pt: 'Use {{code}}.' }, domain: 'acme.com' })
    server.runtime.advance(1)
    await apply({ texts: { pt: 'Use {{code}}!' }, default: 'pt' })
    await apply({ texts: { pt: 'Use {{code}}!' }, default: 'pt' })
    expect(await server.app.wordings.find(id)).toEqual({ locale: 'pt', domain: null, texts: { pt: 'Use {{code}}!' } })
    const noted = await server.query<{ detail: object }>(
      sql`select detail from audit where act = 'wording.changed' and account_id = ${id} order by id`,
    )
    expect(noted.map(({ detail }) => detail)).toEqual([
      { changed: ['domain', 'de', 'pt'] },
      { changed: ['default', 'domain', 'de', 'pt'] },
    ])
  })

  it('changes one language at a time without losing what others write at that moment', async () => {
    const { id } = await newAccount()
    const tags = ['de', 'fr', 'it', 'es', 'nl', 'sv']
    const { wordings } = server.app
    await Promise.all([
      ...tags.map((tag) => wordings.change(id, tag, `${tag} {{code}}`)),
      wordings.setDefaults(id, { default: 'fr' }),
    ])
    await wordings.change(id, 'IT', undefined)
    const { locale, texts } = await wordings.find(id)
    expect([locale, Object.keys(texts)]).toEqual(['fr', ['de', 'es', 'fr', 'nl', 'sv']])
  })

  it('is for developers to change, and nothing of another account', async () => {
    const [account, other] = [await newAccount(), await newAccount()]
    const user = { kind: 'user', id: 'usr_1', name: 'Ada', address: '127.0.0.1', accountId: other.id } as const
    const viewer = server.app.as({ ...user, role: 'viewer' }).wordings
    const stranger = server.app.as({ ...user, role: 'owner' }).wordings
    await account.apply({ domain: 'acme.com' })
    await expect(viewer.change(other.id, 'de', german)).rejects.toThrow('needs the role developer')
    await expect(stranger.apply(account.id, { texts: {} })).rejects.toThrow('needs the role developer')
    expect((await stranger.find(account.id)).domain).toBeNull()
  })
})

describe('a wording is refused', () => {
  const faultsOf = async (given: Partial<GivenWording>) => {
    const account = await newAccount()
    const refusal = await account.apply(given).then(
      () => undefined,
      (error: Error) => error.message,
    )
    if (refusal !== undefined) expect((await server.app.wordings.find(account.id)).texts).toEqual({})
    return refusal ?? 'was taken'
  }
  const faultOf = (text: string) => faultsOf({ texts: { de: text } })

  it.each([
    ['Hello', 'de: must have {{code}} once, and has it not at all'],
    ['{{code}} {{code}}', 'de: must have {{code}} once, and has it 2 times'],
    ['{{code}} {{name}}', 'de: has {{name}}, which is none of {{code}}, {{brand}} and {{minutes}}'],
    ['{{code}} {{', 'de: has {{ without a name: write {{code}}'],
    ['{{code}} at https://x', 'de: must have no link'],
    ['{{code}} at acme.com', 'de: must have no link'],
    ['{{code}} at {{brand}}.de', 'de: must have no link'],
    ['{{code}}.com', 'de: must have no link'],
    ['Call 1.1.1.1 {{code}}', 'de: must have no link'],
    ['{{code}}\n@evil #1', 'de: must be one line'],
    ['', 'de: has no text'],
    ['{{code}} \ud800', 'de: it holds U+0000 or an unpaired surrogate'],
    [`{{code}} ${'a'.repeat(298)}`, 'de: takes 3 SMS with the longest brand, and may take 2 (it is sent as GSM-7)'],
    [`{{code}} {{brand}} ${'я'.repeat(95)}`, 'may take 2 (it is sent as UCS-2)'],
  ])('with a text that %j', async (text, fault) => {
    expect(await faultOf(text)).toContain(fault)
  })

  it.each([
    [`{{code}} ${'a'.repeat(297)}`],
    [`{{code}} {{brand}} ${'я'.repeat(94)}`],
    ['{{ code }}: {{brand}}, {{minutes}} min. Not for others. Nie weitersagen!'],
  ])('but not with a text of two SMS, or in plain words: %s', async (text) => {
    expect(await faultOf(text)).toBe('was taken')
  })

  it('with all that is wrong, each by its language, and nothing is kept', async () => {
    const message = await faultsOf({
      texts: { german: 'x {{code}}', de: german, DE: german, fr: 'Bonjour', es: '{{code}}' },
      default: 'de, fr',
      domain: 'https://acme.com',
    })
    expect(message.split('; ')).toEqual([
      'default: is no language as BCP 47 writes it, like de or pt-BR',
      'domain: must be a host like acme.com, and nothing else',
      'german: is no language as BCP 47 writes it, like de or pt-BR',
      'DE: is there twice',
      'fr: must have {{code}} once, and has it not at all',
    ])
  })

  it('with more than a hundred languages', async () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz']
    const tags = letters.flatMap((one) => letters.slice(0, 4).map((other) => `${one}q${other}`))
    const texts = Object.fromEntries(tags.map((tag) => [tag, '{{code}}']))
    expect(await faultsOf({ texts })).toContain('has more than 100 languages')
  })
})
