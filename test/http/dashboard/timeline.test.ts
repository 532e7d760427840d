import { expect, it } from 'vitest'
import type { History } from '../../../src/domain/sending/history.ts'
import { renderTimeline } from '../../../src/http/dashboard/parts/timeline.ts'

it('a report with a wrong clock tells of nothing before its connection was asked', () => {
  const createdAt = new Date('2026-11-28T12:00:00.000Z')
  const at = (seconds: number) => new Date(createdAt.getTime() + seconds * 1000).toISOString()
  const history = {
    ...{ createdAt, status: 'delivered', verifiedAt: undefined, inlet: undefined },
    legs: [{ connection: 'sms', state: 'now', providerMessageId: undefined }],
    timeline: [
      { status: 'sent', at: at(0) },
      { status: 'sent', at: at(2), note: 'sms: taken', connection: 'sms', taken: true, segments: 2 },
      { status: 'delivered', at: at(-3 * 3600), connection: 'sms' },
    ],
  } as unknown as History
  const steps = [
    ...renderTimeline(history).text.matchAll(/<span>([^<]+)<\/span><\/span>\s*<span class="when">.*?<small>([^<]+)/gs),
  ]
  expect(steps.map(([, title, since]) => [title, since])).toEqual([
    ['sent', '+0.0 s'],
    ['taken', '+2.0 s'],
    ['delivered', '+2.0 s'],
  ])
})
