/** What makes messages and tells of them, once for every door. */
import { codeLengthRange, codeTtlRange, filledCharactersMax } from '../contract/document.ts'
import type { KnownReceiptKeys } from '../domain/access/knownReceiptKeys.ts'
import { createOrderReceipt } from '../domain/access/signedReceipt.ts'
import { createSendPosted, type SendPosted } from '../domain/inlets/post.ts'
import { createTexts } from '../domain/inlets/text.ts'
import { createBudgets } from '../domain/protection/budget/dayBudgets.ts'
import { createJudgements } from '../domain/protection/judging/judgement.ts'
import { createSendRules } from '../domain/protection/judging/sendRules.ts'
import type { SharedCounts } from '../domain/protection/judging/sharedCounts.ts'
import type { KnownRules } from '../domain/protection/known.ts'
import { createIdempotency, type IdempotencyParts } from '../domain/sending/idempotency.ts'
import { liveLimits } from '../domain/sending/limit.ts'
import { createMessages, type MessageParts } from '../domain/sending/message.ts'
import { createNotifications } from '../domain/sending/notifications/notification.ts'
import { createPreview } from '../domain/sending/notifications/preview.ts'
import { createPhoneLookup } from '../domain/sending/phone.ts'
import type { OptOuts } from '../domain/sending/phones/optOut.ts'
import { createOptOutChanges } from '../domain/sending/phones/optOutChange.ts'
import { createUnlistedNote, type UnlistedParts } from '../domain/sending/phones/unlisted.ts'
import type { FindRoute } from '../domain/sending/route.ts'
import { createVerifications, type SendParts } from '../domain/sending/verification.ts'
import type { KnownWordings } from '../domain/sending/wordings/known.ts'
import { createTemplateChanges, type TemplateChangesParts } from '../domain/templates/templateChange.ts'
import { createToldTemplates, type ToldTemplatesParts } from '../domain/templates/toldTemplate.ts'
import type { Events } from '../domain/webhooks/event.ts'
import type { Services } from '../http/api/handler.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { Config } from '../settings/config.ts'
import { findAccountById } from '../store/access/account.ts'
import type { Commit } from '../store/engine/commit.ts'

export interface SendingParts extends Pick<SendParts, 'dispatch' | 'move' | 'secrets' | 'confirm'> {
  events: Events
  optOuts: OptOuts
  commit: Commit
  admin: TemplateChangesParts
  /** Of receipts. */
  issuer: () => string | undefined
  lookup: IdempotencyParts['lookup']
  route: FindRoute
  kindsOf: MessageParts['kindsOf']
  kinds: ToldTemplatesParts['kinds']
  wordings: Pick<KnownWordings, 'of'>
  rules: KnownRules
  receiptKeys: Pick<KnownReceiptKeys, 'signer'>
  metrics: { unlisted: UnlistedParts['count'] }
  counts: SharedCounts
  runtime: Runtime
}

export function createSending(
  { codeTtlSeconds, countriesAllowed, phonePrefixesAllowed, retentionDays }: Config,
  {
    admin,
    issuer,
    lookup,
    route,
    kindsOf,
    kinds,
    wordings,
    rules,
    receiptKeys,
    counts,
    metrics,
    ...parts
  }: SendingParts,
): Services & { sendPosted: SendPosted } {
  const { commit, secrets, events, runtime } = parts
  const idempotency = createIdempotency({ commit, secrets, lookup, runtime })
  const codeTtlSecondsMax = codeTtlRange.max
  const lookUpPhone = createPhoneLookup(
    { countries: countriesAllowed, prefixes: phonePrefixesAllowed },
    createUnlistedNote({ runtime, count: metrics.unlisted }),
  )
  const policy = {
    ...{ codeTtlSeconds, codeTtlSecondsMax, lengths: codeLengthRange },
    ...{ lookUpPhone, limits: liveLimits, filledCharactersMax, route, retentionDays },
  }
  const orderReceipt = createOrderReceipt({ issuer, signer: receiptKeys.signer })
  const judgements = createJudgements({ commit, runtime, key: lookup.key, counts })
  const sending = {
    ...parts,
    idempotency,
    lookup,
    rules: createSendRules({ known: rules, judgements, events, runtime }),
    budgets: createBudgets({ events }),
    policy,
    orderReceipt,
    wordingOf: wordings.of,
  }
  const verifications = createVerifications(sending)
  return {
    verifications,
    sendPosted: createSendPosted({ verifications, texts: createTexts(sending), lookup, runtime }),
    notifications: createNotifications(sending),
    preview: createPreview(sending),
    optOuts: createOptOutChanges(sending),
    templates: createToldTemplates({ commit, kinds }),
    templateChanges: createTemplateChanges(admin),
    messages: createMessages({ commit, runtime, lookup, kindsOf }),
    findAccount: (id) => findAccountById(commit.reader, id),
  }
}
