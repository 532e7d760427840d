import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CodeInput, type OwnWording, writeCodeText } from '../../../src/domain/sending/wordings/codeText.ts'
import { noWording } from '../../../src/domain/sending/wordings/known.ts'
import { countSegments } from '../../../src/domain/sending/wordings/segments.ts'
import { shippedWordings } from '../../../src/domain/sending/wordings/shipped.ts'

const tags = Object.keys(shippedWordings)
const written = (input: Partial<CodeInput>, own: Partial<OwnWording> = {}) =>
  writeCodeText({ code: '482913', brandName: 'Acme', minutes: 10, ...input }, { ...noWording, ...own })
const longest = { code: '48291300', brandName: 'W'.repeat(30), minutes: 10 }
const hash = 'FA+9qCX9VSu'

describe('the wordings that ship', () => {
  it('are of more than 30 languages, each under the tag that BCP 47 gives it', () => {
    expect(tags.length).toBeGreaterThan(30)
    expect(Intl.getCanonicalLocales(tags)).toEqual(tags)
  })

  it('are all named in the page for client teams', () => {
    const listed = /^`ar`, [\s\S]*?`zh-Hant`$/m.exec(readFileSync('docs/clients.md', 'utf8'))![0]
    expect(Array.from(listed.matchAll(/`([\w-]+)`/g), ([, tag]) => tag)).toEqual(tags)
  })

  it.each(tags)('take one segment with the longest brand and code: %s', (tag) => {
    for (let minutes = 1; minutes <= 10; minutes++) {
      const text = written({ ...longest, minutes, locale: tag })
      expect(countSegments(text)).toMatchObject({ segments: 1 })
    }
  })

  it('are written in GSM-7 where the language can be', () => {
    const isGsm7 = (tag: string) => countSegments(written({ locale: tag })).encoding === 'gsm7'
    const others = 'ar bg cs el he hi hu ja ko pt pt-BR ru sk th uk vi zh-Hans zh-Hant'
    expect(tags.filter((tag) => !isGsm7(tag)).join(' ')).toBe(others)
  })

  it.each(tags)('name the code and the brand once, and are composed Unicode without stray braces: %s', (tag) => {
    const { branded, plain } = shippedWordings[tag]!
    const places = (text: string) => Array.from(text.matchAll(/\{\{(\w+)\}\}/g), ([, name]) => name).sort()
    expect([places(branded), places(plain)]).toEqual([['brand', 'code'], ['code']])
    for (let minutes = 1; minutes <= 10; minutes++) {
      const text = written({ locale: tag, minutes })
      expect(text).not.toMatch(/[{}]|undefined| {2}/)
      expect(text).toBe(text.normalize('NFC'))
      expect(text.match(/482913/g)).toHaveLength(1)
      expect(text.match(/Acme/g)).toHaveLength(1)
    }
  })

  it.each(tags)('say each number of minutes in the right form: %s', (tag) => {
    const { valid } = shippedWordings[tag]!
    const forms = new Set(Object.keys(valid))
    expect(
      [...forms].filter(
        (form) => !new Intl.PluralRules(tag).resolvedOptions().pluralCategories.includes(form as never),
      ),
    ).toEqual([])
    for (const minutes of [1, 2, 5, 10])
      expect(written({ locale: tag, minutes })).toMatch(minutes > 2 ? `${minutes}` : /./)
  })

  it.each([
    ['en', 1, '482913 is your Acme code. It is valid for 1 minute.'],
    ['en', 10, '482913 is your Acme code. It is valid for 10 minutes.'],
    ['de', 10, '482913 ist Ihr Code für Acme. Er gilt 10 Minuten.'],
    ['ru', 1, '482913 — код Acme. Действует 1 минуту.'],
    ['ru', 3, '482913 — код Acme. Действует 3 минуты.'],
    ['ru', 10, '482913 — код Acme. Действует 10 минут.'],
    ['ar', 2, 'رمز Acme هو 482913. صالح لمدة دقيقتين.'],
    ['ar', 10, 'رمز Acme هو 482913. صالح لمدة 10 دقائق.'],
    ['ja', 10, 'Acmeの認証コードは482913です。有効期限は10分です。'],
  ])('are as people say it: %s, %i minutes', (locale, minutes, text) => {
    expect(written({ locale, minutes })).toBe(text)
  })
})

describe('a locale', () => {
  it.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['DE-ch-1996', 'de'],
    ['pt-BR', 'pt-BR'],
    ['pt-br', 'pt-BR'],
    ['pt-PT', 'pt'],
    ['pt', 'pt'],
    ['pt-AO', 'pt'],
    ['es-419', 'es'],
    ['zh', 'zh-Hans'],
    ['zh-TW', 'zh-Hant'],
    ['zh-HK', 'zh-Hant'],
    ['zh-Hant-MO', 'zh-Hant'],
    ['zh-SG', 'zh-Hans'],
    ['no', 'nb'],
    ['nn-NO', 'nb'],
    ['iw', 'he'],
    ['en-GB', 'en'],
    ['xx', 'en'],
    ['eu', 'en'],
    ['de-1', 'de'],
  ])('%s is served in %s', (locale, tag) => {
    expect(written({ locale })).toBe(written({ locale: tag }))
    if (tag !== 'en') expect(written({ locale })).not.toBe(written({ locale: 'en' }))
  })

  it('that the contract lets pass always gets a text with the code', () => {
    const locale = fc.stringMatching(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$/)
    fc.assert(
      fc.property(locale, (one) => {
        expect(written({ locale: one })).toContain('482913')
      }),
    )
  })

  it('may be left out: then the text is the one that it always was', () => {
    expect(written({})).toBe('Your Acme code is 482913')
  })
})

describe('the last lines', () => {
  it('bind the code to the host of a page', () => {
    expect(written({ autofill: { domain: 'acme.com' } })).toBe('Your Acme code is 482913\n@acme.com #482913')
    expect(written({ locale: 'fr', autofill: { domain: 'acme.com' } })).toBe(
      '482913 est votre code Acme. Il est valable 10 minutes.\n@acme.com #482913',
    )
  })

  it('have the form that the specification of origin-bound codes asks for', () => {
    // https://wicg.github.io/sms-one-time-codes/#parsing: the last line, the host, and the code up to its end.
    const line = /^@(?<host>[^\s@#]+) #(?<code>[^\s@#%]+)$/
    for (const locale of [undefined, ...tags]) {
      const text = written({ locale, autofill: { domain: 'login.acme.co.uk' } })
      expect(line.exec(text.split('\n').at(-1)!)?.groups).toEqual({ host: 'login.acme.co.uk', code: '482913' })
    }
  })

  it('end with the hash of an Android app', () => {
    expect(written({ locale: 'en', autofill: { domain: 'acme.com', appHash: hash } })).toBe(
      `482913 is your Acme code. It is valid for 10 minutes.\n@acme.com #482913\n${hash}`,
    )
  })

  it('give way in order to the hash, with which a message has 140 bytes at most', () => {
    const host = (letters: number) => `${'a'.repeat(letters - 4)}.com`
    const text = (domain: string, brandName: string) =>
      written({ locale: 'en', brandName, autofill: { domain, appHash: hash } })
    const sentence = '482913 is your Acme code. It is valid for 10 minutes.'
    // 53 characters, the hash with its line 12, the line of the host 10 and its letters.
    expect(text(host(65), 'Acme')).toBe(`${sentence}\n@${host(65)} #482913\n${hash}`)
    expect(text(host(66), 'Acme')).toBe(`${sentence}\n${hash}`)
    // A brand of a script with three bytes a letter.
    expect(text('acme.com', 'あ'.repeat(26))).toBe(`482913 is your ${'あ'.repeat(26)} code.\n${hash}`)
    expect(text('acme.com', 'あ'.repeat(30))).toBe(`482913 is your ${'あ'.repeat(30)} code.\n${hash}`)
  })

  it('are there in every language, in 140 bytes and one segment, with the code in front', () => {
    const brand = fc.string({ unit: fc.constantFrom('W', 'é', 'я', 'あ', '字', '𝕬'), maxLength: 30 })
    fc.assert(
      fc.property(fc.constantFrom(...tags, undefined), brand, (locale, brandName) => {
        const text = written({ ...longest, brandName, locale, autofill: { domain: 'acme.com', appHash: hash } })
        expect(text.endsWith(`\n${hash}`)).toBe(true)
        expect(text.slice(0, -hash.length)).toContain(longest.code)
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(140)
        expect(countSegments(text).segments).toBe(1)
      }),
    )
  })
})

describe("an account's own words", () => {
  const texts = {
    de: 'Hallo! {{code}} ist dein {{brand}}-Code.',
    en: '{{ code }} opens {{brand}} for {{minutes}} minutes.',
    pt: 'Use {{code}}.',
  }

  it.each([
    ['de', 'Hallo! 482913 ist dein Acme-Code.'],
    ['de-CH', 'Hallo! 482913 ist dein Acme-Code.'],
    ['pt-BR', 'Use 482913.'],
    ['fr', '482913 est votre code Acme. Il est valable 10 minutes.'],
    ['xx', '482913 opens Acme for 10 minutes.'],
    [undefined, '482913 opens Acme for 10 minutes.'],
  ])('come before those that ship, in the language that was asked for: %s', (locale, text) => {
    expect(written({ locale }, { texts })).toBe(text)
  })

  it.each([
    [undefined, 'Hallo! 482913 ist dein Acme-Code.'],
    ['fr', '482913 est votre code Acme. Il est valable 10 minutes.'],
    ['xx', 'Hallo! 482913 ist dein Acme-Code.'],
  ])('are in its own language for who asks for none, or for one that nobody words: %s', (locale, text) => {
    expect(written({ locale }, { texts, locale: 'de' })).toBe(text)
  })

  it.each([
    ['pt-PT', '482913 é o código Acme. Válido por 10 min.'],
    ['mn-CN', 'Код: 482913.'],
    [undefined, 'Your Acme code is 482913'],
  ])('in another variant are for a language that does not ship: %s', (locale, text) => {
    const variants = { 'pt-BR': 'Use {{code}}.', 'mn-MN': 'Код: {{code}}.', 'en-GB': 'Here: {{code}}' }
    expect(written({ locale }, { texts: variants })).toBe(text)
  })

  it('may be none, and the default a language that ships', () => {
    expect(written({}, { locale: 'de' })).toBe('482913 ist Ihr Code für Acme. Er gilt 10 Minuten.')
  })

  it('that name a brand are not for messages without one', () => {
    expect(written({ locale: 'de', brandName: undefined }, { texts })).toBe('482913 ist Ihr Code. Er gilt 10 Minuten.')
    expect(written({ locale: 'pt', brandName: undefined }, { texts })).toBe('Use 482913.')
    expect(written({ brandName: undefined }, { texts: { de: texts.de, en: texts.en } })).toBe('Your code is 482913')
  })

  it('end with the host of the account, unless another one was given', () => {
    expect(written({}, { domain: 'acme.com' })).toBe('Your Acme code is 482913\n@acme.com #482913')
    expect(written({ autofill: { domain: 'other.example' } }, { texts, domain: 'acme.com' })).toBe(
      '482913 opens Acme for 10 minutes.\n@other.example #482913',
    )
  })

  it('give way to the hash of an Android app too', () => {
    const long = { en: `${'a'.repeat(150)} {{code}}` }
    expect(written({ locale: 'en', autofill: { appHash: hash } }, { texts: long })).toBe(
      `482913 is your Acme code. It is valid for 10 minutes.\n${hash}`,
    )
  })

  it('are filled once: a value is never looked into for places', () => {
    expect(written({ brandName: '{{code}}' }, { texts: { en: '{{brand}}: {{code}}' } })).toBe('{{code}}: 482913')
  })
})
