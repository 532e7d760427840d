/** The sandbox as a kind of connection, which has nothing to configure, and what its test numbers do. */
import { z } from 'zod'
import type { Kind } from '../../channel.ts'

export const sandbox: Kind<Record<string, never>> = {
  settings: z.strictObject({}),
  fields: () => [],
  isLocal: true,
  words: { title: 'Sandbox', carries: 'Codes and all notifications; only the sandbox phone shows them' },
  carries: () => true,
  open: () => {
    throw new Error('the sandbox is opened with the service, once for all connections')
  },
}

/** What a number of the test range does; every other number gets its message. */
export type TestOutcome = 'delivered' | 'read' | 'not_on_channel' | 'silent' | 'slow' | 'flaky' | 'cooldown'

const outcomes: Record<string, TestOutcome> = {
  '+1415555010': 'delivered',
  '+1415555011': 'read',
  '+1415555012': 'not_on_channel',
  '+1415555013': 'silent',
  '+1415555014': 'slow',
  '+1415555015': 'flaky',
  '+1415555016': 'cooldown',
}

export function testOutcome(phone: string): TestOutcome {
  return (phone.length === 12 && outcomes[phone.slice(0, 11)]) || 'delivered'
}
