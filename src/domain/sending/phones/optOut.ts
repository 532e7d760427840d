/** Opt-outs: who told a provider, the account or the operator so gets no more notifications, by any connection. Codes are not concerned. */
import type { KeyObject } from 'node:crypto'
import type { Reader, Tx } from '../../../store/engine/session.ts'
import type { Mode } from '../../../store/schema/schema.ts'
import type { Moved } from '../../../store/sending/change.ts'
import { findOptOuts, insertOptOuts, type OptOutKey } from '../../../store/sending/optOut.ts'
import type { BlindIndex } from '../../access/keyring.ts'
import { hmacOf } from '../../access/secret.ts'
import { onePhone } from '../phoneForm.ts'

interface Recipient {
  accountId: string
  mode: Mode
  phone: string
}

export interface OptOuts {
  keyOf: (recipient: Recipient) => OptOutKey
  /** In one read; in none for an empty list. @returns those that have opted out */
  among: <One extends Recipient>(reader: Reader, recipients: readonly One[]) => Promise<ReadonlySet<One>>
  /** Remembers the phones of messages that a provider refused for an opt-out. Goes with the commit. */
  remember: (tx: Tx, moved: readonly Moved[]) => void
}

/** Of a hash that is kept: enough that no two meet by chance. */
const keptBytes = 16

export interface OptOutParts {
  /** Its key stays the same when secrets are rotated. */
  lookup: Pick<BlindIndex, 'key'>
}

export function createOptOuts({ lookup: { key } }: OptOutParts): OptOuts {
  const keyOf = (recipient: Recipient) => optOutKeyOf(key, recipient)
  return {
    keyOf,
    among: async (reader, recipients) => {
      if (recipients.length === 0) return new Set()
      const known = await findOptOuts(reader, recipients.map(keyOf))
      return new Set(recipients.filter((_recipient, place) => known[place]))
    },
    remember: (tx, moved) =>
      insertOptOuts(
        tx,
        moved.flatMap(({ accountId, mode, at, optedOut }) =>
          optedOut === null
            ? []
            : { ...keyOf({ accountId, mode, phone: optedOut }), category: 'all', source: 'provider', since: at },
        ),
      ),
  }
}

/** The same for every number of a phone. @param key stays the same when secrets are rotated */
export function optOutKeyOf(key: KeyObject, { accountId, mode, phone }: Recipient): OptOutKey {
  const phoneHash = hmacOf(key, ['opt-out', accountId, mode, onePhone(phone)]).toString('base64url', 0, keptBytes)
  return { accountId, mode, phoneHash }
}
