/** Which connections of an account may carry a message, in their order. */
import type { Carried, FilledTemplate, FindRoute } from '../domain/sending/route.ts'
import { faultText, findKnownFault } from '../domain/templates/templateFault.ts'
import type { ErrorDetail } from '../kit/problem.ts'
import type { Channel, Kinds } from './channel.ts'
import type { OpenConnection } from './openConnections.ts'
import { spreadOut } from './turns/spread.ts'

type Routable = Pick<OpenConnection, 'id' | 'kind' | 'countries' | 'isForTestKeys' | 'share' | 'templateFaults'>

export interface RouteParts {
  /** In the order of the account. */
  ofAccount: (accountId: string) => Promise<readonly Routable[]>
  kinds: Kinds
  /** The connection that carries the messages of test keys, and what it is. */
  forTests: { id: string; kind: string }
  /** Of that. */
  refusesTest?: Channel['refuses']
}

const forTestKeysAlone =
  'The only channel of this account is the sandbox, which carries messages of test keys alone. Add a channel that reaches phones.'

const noneOfKinds = 'None of the kinds in channels can carry this message; details says why.'

/** Why each kind that a caller names does not carry the message. */
function missingKinds(order: readonly string[], all: readonly Routable[], there: readonly Routable[]): ErrorDetail[] {
  const is = (list: readonly Routable[], wanted: string) => list.some(({ kind }) => kind === wanted)
  return order.map((kind, place) => {
    const reason = is(there, kind)
      ? 'cannot carry this message'
      : is(all, kind)
        ? 'does not send to this country, or carries messages of test keys alone'
        : 'this account does not have'
    return { field: `/channels/${place}`, code: 'unknown', message: `is a kind of channel that ${reason}` }
  })
}

/** Test keys take the sandbox; what that refuses on purpose, it refuses for them alone. */
export function createFindRoute({ ofAccount, kinds, forTests, refusesTest }: RouteParts): FindRoute {
  return async ({ accountId, mode, phone, country, through: only, kinds: wanted, order, ...more }) => {
    if (mode === 'test') {
      const refused = refusesTest?.(phone)
      const toSandbox = { connections: [forTests.id], kind: forTests.kind }
      return {
        verification: () => (refused ? { refused } : toSandbox),
        notification: () => toSandbox,
        consider: ({ text }) => [{ connection: forTests.id, kind: forTests.kind, text }],
      }
    }
    const all = await ofAccount(accountId)
    const there = all.filter(
      ({ id, kind, countries, isForTestKeys }) =>
        !isForTestKeys &&
        (only === undefined || id === only) &&
        (wanted === undefined || wanted.has(kind)) &&
        (!countries || (country !== undefined && countries.has(country))),
    )
    const isForTestsAlone = all.length > 0 && all.every(({ isForTestKeys }) => isForTestKeys)
    const noChannel = {
      refused: 'no_channel' as const,
      ...(order && { message: noneOfKinds, details: missingKinds(order, all, there) }),
      ...(isForTestsAlone && { message: forTestKeysAlone }),
    }
    const inOrder = order ? order.flatMap((wanted) => there.filter(({ kind }) => kind === wanted)) : there
    const through = (carries: (kind: string) => boolean | undefined, said: Said = {}) => {
      const able = withUsable(
        inOrder.filter(({ kind }) => carries(kind)),
        more.isForLater ? {} : said,
      )
      const [first] = able
      if (!first) return noChannel
      const asked = more.isPreview ? able : spreadOut(able)
      return { connections: asked.map(({ id }) => id), kind: first.kind }
    }
    return {
      verification: (digits) => through((kind) => kinds[kind]?.carries({ kind: 'verification', digits })),
      notification: (channels) =>
        through((kind) => kinds[kind]?.carries({ kind: 'notification', template: channels[kind] }), channels),
      consider: (notification) => {
        const others = all.filter((one) => !inOrder.includes(one))
        const found = inOrder.map((one) => ({ one, would: carriedBy(kinds, one.kind, notification) }))
        const usable = withUsable(
          found.filter(({ would }) => !('refused' in would)).map(({ one }) => one),
          more.isForLater ? {} : notification.channels,
        )
        const considered = [
          ...found.map(({ one, would }) => ({
            connection: one.id,
            kind: one.kind,
            ...('refused' in would || usable.includes(one) ? would : unusable(one, notification.channels)),
          })),
          ...others.map((one) => ({ connection: one.id, kind: one.kind, refused: leftOut(one, there.includes(one)) })),
        ]
        return considered.toSorted((one, other) => Number('refused' in one) - Number('refused' in other))
      },
    }
  }
}

/** What a template says for each kind of connection. */
type Said = Readonly<Record<string, unknown>>

/**
 * Without the connections whose providers would not send the template now. Where there is no other, they are asked all the same:
 * what is known of them may be an hour old, and their providers know better.
 */
function withUsable<One extends Routable>(able: readonly One[], said: Said): readonly One[] {
  const usable = able.filter(({ kind, templateFaults }) => !findKnownFault(templateFaults, said[kind]))
  return usable.length > 0 ? usable : able
}

function unusable({ kind, templateFaults }: Routable, said: Said): { refused: string } {
  return { refused: faultText(findKnownFault(templateFaults, said[kind])!) }
}

/** What a kind of connection makes of a notification. */
function carriedBy(
  kinds: Kinds,
  name: string,
  { text, variables, channels }: Carried,
): { refused: string } | { text: string } | { template: FilledTemplate } {
  const kind = kinds[name]
  if (!kind?.carries({ kind: 'notification', template: channels[name] }))
    return { refused: kind?.template ? 'the template says nothing for this kind of channel' : 'carries codes only' }
  const filled = kind.fill?.(channels[name], variables)
  if (!filled) return { text }
  return 'refused' in filled ? filled : { template: filled }
}

/** @param isThere it is for the country, so that only the kinds that the request names leave it out */
function leftOut({ isForTestKeys }: Pick<Routable, 'isForTestKeys'>, isThere: boolean): string {
  if (isForTestKeys) return 'carries messages of test keys alone'
  return isThere ? 'is of a kind that the request does not name' : 'does not send to this country'
}
