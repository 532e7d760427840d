/** What became of one message, for an operator who knows its id alone. */
import { and, eq } from 'drizzle-orm'
import { account, leg, message } from './schema.ts'
import type { Reader } from './session.ts'

/** Without what is in it, be it sealed. @returns undefined when no account has it */
export async function findHistory(reader: Reader, id: string) {
  // An index begins with the account: each is looked into.
  const [found] = await reader.db
    .select({
      account: account.name,
      accountId: message.accountId,
      id: message.id,
      mode: message.mode,
      kind: message.kind,
      phone: message.phone,
      route: message.route,
      leg: message.leg,
      attempts: message.deliveryAttempts,
      status: message.status,
      statusAt: message.statusAt,
      errorCode: message.errorCode,
      timeline: message.timeline,
      createdAt: message.createdAt,
      expiresAt: message.expiresAt,
      verifiedAt: message.verifiedAt,
    })
    .from(account)
    .innerJoin(message, and(eq(message.accountId, account.id), eq(message.id, id)))
  if (!found) return undefined
  const taken = await reader.db
    .select({ connection: leg.connection, providerMessageId: leg.providerMessageId })
    .from(leg)
    .where(and(eq(leg.accountId, found.accountId), eq(leg.messageId, id)))
  return { ...found, taken }
}
