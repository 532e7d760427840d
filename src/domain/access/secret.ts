/**
 * The server's secrets, and the keys derived from them. The first secret signs and seals; all of them verify and open, so
 * that a new one can be put in front while what the old ones made is still good.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type Hmac,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto'
import { Refusal } from '../../kit/refusal.ts'
import { randomSlice } from '../../kit/runtime.ts'
import { computeHmac, type HashedPart } from './hmac.ts'

export interface Secrets {
  /** HMAC-SHA-256 of the parts under the first secret, with the id of the key that made it. */
  sign: (purpose: Purpose, ...parts: HashedPart[]) => { hmac: Buffer; keyId: string }
  /** Whether `hmac` is that of the parts, in constant time. False when the key is not held any more. */
  verify: (purpose: Purpose, hmac: Uint8Array, keyId: string, ...parts: HashedPart[]) => boolean
  /**
   * The same HMAC, for bytes that come in pieces.
   *
   * @param keyId of the key to use; the first secret's when left out
   * @returns undefined when the key is not held
   */
  begin: (purpose: Purpose, keyId?: string) => { hmac: Hmac; keyId: string } | undefined
  /** AES-256-GCM, bound to `context`: only the same context opens it. */
  seal: (plain: string, context: string) => Buffer
  /** @throws SecretMissing when it was not sealed by one of our secrets, and Error when not for that context */
  open: (sealed: Uint8Array, context: string) => string
  /** Whether it was sealed under the first secret, and so stays readable when the others are gone. */
  isCurrent: (sealed: Uint8Array) => boolean
  /** Whether the key with that id is one of ours. */
  holds: (keyId: string) => boolean
  /** The ids of our keys, the first secret's first. They tell nothing of the secrets. */
  keyIds: readonly string[]
}

/** What has secrets of its own, encrypted with the service's. */
type Sealed = 'connections' | 'endpoints' | 'inlets' | 'receipt keys'

/** What an operator is told who works without the service's secret. */
export function secretNeeded(sealed: Sealed): string {
  return `The secrets of ${sealed} are encrypted with the secret of the service: set WATCHWORD_SECRET to the same value as the service.`
}

/** @throws Refusal without secrets */
export function requireSecrets(secrets: Secrets | undefined, sealed: Sealed): Secrets {
  if (secrets) return secrets
  throw new Refusal(secretNeeded(sealed))
}

/** Keys for different purposes are independent: what is signed for one means nothing for another. */
export type Purpose = 'code' | 'fingerprint' | 'report' | 'backup' | 'invitation'

const keyIdBytes = 4
const ivBytes = 12
const tagBytes = 16

/** What was sealed can be opened by who holds that secret: another process may. */
export class SecretMissing extends Error {
  override readonly name = 'SecretMissing'

  constructor() {
    super('sealed under a secret that is not held any more')
  }
}

/** @param secrets at least one; the first signs */
export function createSecrets(secrets: string[]): Secrets {
  const keys = secrets.map(deriveKeys)
  const first = keys[0]
  if (!first) throw new Error('a server secret is needed')
  const byId = new Map(keys.map((key) => [key.id, key]))

  return {
    sign: (purpose, ...parts) => ({ hmac: computeHmac(first[purpose], parts), keyId: first.id }),
    verify: (purpose, hmac, keyId, ...parts) => {
      const key = byId.get(keyId)
      return key !== undefined && timingSafeEqual(computeHmac(key[purpose], parts), hmac)
    },
    begin: (purpose, keyId = first.id) => {
      const key = byId.get(keyId)
      return key && { hmac: createHmac('sha256', key[purpose]), keyId }
    },
    seal: (plain, context) => {
      const iv = randomSlice(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', first.seal, iv).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.from(first.id, 'hex'), iv, cipher.getAuthTag(), body])
    },
    open: (sealed, context) => {
      const bytes = Buffer.from(sealed)
      const key = byId.get(keyIdOf(bytes))
      if (!key) throw new SecretMissing()
      const iv = bytes.subarray(keyIdBytes, keyIdBytes + ivBytes)
      const tag = bytes.subarray(keyIdBytes + ivBytes, keyIdBytes + ivBytes + tagBytes)
      const decipher = createDecipheriv('aes-256-gcm', key.seal, iv, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
      return (
        decipher.update(bytes.subarray(keyIdBytes + ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
      )
    },
    isCurrent: (sealed) => keyIdOf(sealed) === first.id,
    holds: (keyId) => byId.has(keyId),
    keyIds: keys.map(({ id }) => id),
  }
}

function keyIdOf(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(0, keyIdBytes)).toString('hex')
}

/** As key objects, which are made ready once: with plain bytes each use costs four times as much. */
function deriveKeys(secret: string) {
  const derive = (label: string) => Buffer.from(hkdfSync('sha256', secret, '', `watchword ${label}`, 32))
  return {
    id: derive('key id').toString('hex', 0, keyIdBytes),
    code: createSecretKey(derive('code')),
    fingerprint: createSecretKey(derive('fingerprint')),
    report: createSecretKey(derive('report')),
    backup: createSecretKey(derive('backup')),
    invitation: createSecretKey(derive('invitation')),
    seal: createSecretKey(derive('seal')),
  }
}
