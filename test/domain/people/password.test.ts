import { argon2Sync } from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createPasswords, type Passwords } from '../../../src/domain/people/password.ts'
import { refusal } from '../../support/people.ts'

const password = 'correct horse battery staple'

/** As a stranger asks. */
const looking = ({ admit }: Passwords) => {
  return (text: string, kept: string | undefined) => admit('stranger', (isRight) => isRight(text, kept))
}

describe('a password', () => {
  it('is kept as argon2id with 19 MiB, two passes and a salt of its own', async () => {
    const passwords = createPasswords()
    const [{ hash }, isRight] = [passwords, looking(passwords)]
    const kept = await hash(password)
    const [, salt = '', tag = ''] = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$([\w+/]{22})\$([\w+/]{43})$/.exec(kept) ?? []
    const nonce = Buffer.from(salt, 'base64')
    const made = { message: password, nonce, parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 }
    expect(argon2Sync('argon2id', made).toString('base64')).toBe(`${tag}=`)
    expect(await hash(password)).not.toBe(kept)
    expect(await isRight(password, kept)).toBe(true)
    expect(await isRight(`${password} `, kept)).toBe(false)
  })

  it('is right with the parameters that it was kept with', async () => {
    const nonce = Buffer.alloc(16, 7)
    const tag = argon2Sync('argon2id', {
      message: password,
      nonce,
      parallelism: 1,
      tagLength: 32,
      memory: 64,
      passes: 1,
    })
    const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
    const kept = `$argon2id$v=19$m=64,t=1,p=1$${base64(nonce)}$${base64(tag)}`
    expect(await looking(createPasswords())(password, kept)).toBe(true)
  })

  it.each([
    ['eleven chars', 'elevenchars', 'A password needs at least 12 characters.'],
    [
      'letters that a keyboard composes to eleven',
      `${'a\u0308'.repeat(11)}`,
      'A password needs at least 12 characters.',
    ],
    ['more than a page', 'x'.repeat(1025), 'A password can have at most 1024 bytes.'],
    ['more than a page in bytes', 'é'.repeat(513), 'A password can have at most 1024 bytes.'],
    ['half of a character', `${password}\ud800`, 'A password can have at most 1024 bytes.'],
  ])('of %s is refused', async (_what, text, said) => {
    expect(await refusal(createPasswords().hash(text))).toBe(said)
  })

  it.each(['qwertyuiop123', 'PasswordPassword', 'aaaaaaaaaaaa', '１２３４５６７８９０１２'])(
    'that many people use is refused: %s',
    async (common) => {
      const said = 'Many people use this password, so it is easy to guess. Choose another one.'
      expect(await refusal(createPasswords().hash(common))).toBe(said)
    },
  )

  it('may be anything else of 12 characters', async () => {
    const passwords = createPasswords(async (text) => Buffer.alloc(32, text[0]))
    const [{ hash }, isRight] = [passwords, looking(passwords)]
    for (const text of ['aaaaaaaaaaab', '            ', '🔑'.repeat(12), 'x'.repeat(1024)]) {
      expect(await isRight(text, await hash(text))).toBe(true)
    }
  })

  it('is the same however a keyboard composes its letters', async () => {
    const passwords = createPasswords()
    const [{ hash }, isRight] = [passwords, looking(passwords)]
    expect(await isRight('u\u0308ber alles Maß', await hash('über alles Maß'))).toBe(true)
  })

  it('costs the same work for a user that there is not, and is wrong', async () => {
    const worked: object[] = []
    const passwords = createPasswords(async (_text, salt, cost) => {
      worked.push({ ...cost, salt: salt.length })
      return Buffer.alloc(32)
    })
    const isRight = looking(passwords)
    expect(await isRight(password, await passwords.hash(password))).toBe(true)
    expect(await isRight(password, undefined)).toBe(false)
    expect(worked).toEqual(Array(3).fill({ memory: 19_456, passes: 2, parallelism: 1, salt: 16 }))
  })

  it('is worked on with one other at once; 440 wait in turn, and more are told to come again', async () => {
    const open: (() => void)[] = []
    const passwords = createPasswords(() => new Promise((resolve) => void open.push(() => resolve(Buffer.alloc(32)))))
    const isRight = looking(passwords)
    const asked = Array.from({ length: 442 }, () => isRight(password, undefined))
    await expect(isRight(password, undefined)).rejects.toMatchObject({
      ...{ code: 'service_unavailable', retryAfterSeconds: 1 },
    })
    for (let done = 0; done < 442; done++) {
      await expect.poll(() => open.length, { interval: 1 }).toBe(Math.min(442, done + 2))
      open[done]!()
      await asked[done]
    }
    open.length = 0
    const next = isRight(password, undefined)
    await expect.poll(() => open.length, { interval: 1 }).toBe(1)
    open[0]!()
    expect(await next).toBe(false)
  })

  it('that is in line for ten seconds without a place is told to come again', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const isRight = looking(createPasswords(() => new Promise(() => {})))
    for (let place = 0; place < 42; place++) isRight(password, undefined)
    const late = expect(isRight(password, undefined)).rejects.toMatchObject({ code: 'service_unavailable' })
    await vi.advanceTimersByTimeAsync(10_000)
    await late
  })

  it('of somebody who is signed in, or holds a link, is the next one, however many strangers wait', async () => {
    const open: (() => void)[] = []
    const passwords = createPasswords(() => new Promise((resolve) => void open.push(() => resolve(Buffer.alloc(32)))))
    const done: string[] = []
    const strangers = Array.from({ length: 42 }, async () => {
      await looking(passwords)(password, undefined)
      done.push('stranger')
    })
    const known = [
      passwords.hash(password).then(() => done.push('link')),
      passwords.admit('known', (isRight) => isRight(password, undefined)).then(() => done.push('signed in')),
    ]
    for (let next = 0; next < 44; next++) {
      await expect.poll(() => open.length).toBeGreaterThan(next)
      open[next]!()
    }
    await Promise.all([...strangers, ...known])
    // Two were at work already; from then on they take turns.
    expect(done.slice(0, 6)).toEqual(['stranger', 'stranger', 'link', 'stranger', 'signed in', 'stranger'])
    expect(done).toHaveLength(44)
  })
})
