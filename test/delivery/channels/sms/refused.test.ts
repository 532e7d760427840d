/** What the shipped provider files make of a refusal: words, with the number of the provider behind. */
import { describe, expect, it } from 'vitest'
import { compileAnswer, toOutcome } from '../../../../src/delivery/channels/sms/answer.ts'
import { shippedProviders } from '../../../../src/delivery/channels/sms/shipped.ts'

describe('what a provider refuses', () => {
  const outcomeOfAnswer = (provider: string, status: number, body: unknown) => {
    const { answer } = shippedProviders().find((file) => file.provider === provider)!
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const outcome = toOutcome({ kind: 'answer', status, body: Buffer.from(text) } as never, compileAnswer(answer), [])
    return 'reason' in outcome ? outcome.reason : outcome.kind
  }

  it.each<[string, number, unknown, string]>([
    ['twilio', 401, { code: 20_003 }, 'the provider refuses the credentials (20003)'],
    ['twilio', 400, { code: 21_606 }, 'the provider does not let this sender send (21606)'],
    ['twilio', 403, { code: 30_002 }, 'the account at the provider is suspended (30002)'],
    ['twilio', 400, { code: 21_211 }, 'the provider knows no such number for SMS (21211)'],
    ['twilio', 400, { code: 21_610 }, 'the owner of the phone has opted out (21610)'],
    ['twilio', 400, { code: 21_408 }, 'the account at the provider does not send to this country (21408)'],
    ['twilio', 429, { code: 20_429 }, 'the provider does not take the message now (20429)'],
    ['twilio', 502, '<html>', 'the answer does not say whether the message was taken (status 502)'],
    ['vonage', 200, { messages: [{ status: '9' }] }, 'the provider asks for payment (9)'],
    ['telnyx', 403, { errors: [{ code: '40305' }] }, 'the provider does not let this sender send (40305)'],
    ['46elks', 403, 'Not enough credits', 'the provider asks for payment (status 403)'],
    ['kannel', 403, 'Authorization failed for sendsms', 'the provider refuses the credentials (status 403)'],
    ['plivo', 403, {}, 'the provider does not allow this account to send so (status 403)'],
  ])('is told in words, with its number behind: %s, %s %j', (provider, status, body, reason) => {
    expect(outcomeOfAnswer(provider, status, body)).toBe(reason)
  })

  it('says of each refusal what the operator has to look at, or what is wrong with the phone', () => {
    const plain = shippedProviders().flatMap(({ provider, answer, examples }) =>
      examples.flatMap((example) => {
        if (!('answer' in example) || example.is.kind === 'sent') return []
        const { status, body = '' } = example.answer
        const reason = outcomeOfAnswer(
          provider,
          status,
          answer.as === 'form' ? new URLSearchParams(body as never).toString() : body,
        )
        return /^the [a-z ]+[A-Z]*( \([\x21-\x7e]+( \d{3})?\))$/.test(reason) && !reason.includes('its settings')
          ? []
          : [`${provider}: ${reason}`]
      }),
    )
    expect(plain).toEqual([])
  })
})
