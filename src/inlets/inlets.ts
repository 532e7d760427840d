/** What other systems post to inlets: proven, read, sent, and answered in their own way. */
import { createHmac, randomBytes } from 'node:crypto'
import type { Strangers } from '../domain/access/authentication.ts'
import type { SendPosted } from '../domain/inlets/post.ts'
import { Problem } from '../kit/problem.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { SignedRequest } from '../mapping/signatures/signature.ts'
import type { InletKey, KeptPost } from '../store/inlets/inlet.ts'
import type { Mode } from '../store/schema/columns.ts'
import { type PostAnswer, phoneFaultIn, toPostProblem } from './answer.ts'
import { createProof } from './auth.ts'
import type { KeptPosts } from './keptPosts.ts'
import type { OpenInlet, OpenInlets } from './openInlets.ts'
import { inletKind, inletKindNames } from './shipped.ts'

/** What came of a post. Of an inlet that is not there, the same as of a wrong signature. */
export type TakenIn =
  | { outcome: 'signature' | 'throttled' }
  /** `answer` is undefined where its kind has none: then the usual one is given. `message` is undefined for a repeat of long ago. */
  | { outcome: 'accepted'; message: string | undefined; answer: PostAnswer | undefined }
  | { outcome: 'unreadable'; lacks: string; answer: PostAnswer | undefined }
  | { outcome: 'refused'; problem: Problem; answer: PostAnswer | undefined }

export interface PostIntake {
  /**
   * Nothing of a post is parsed before it is proven. A post to an inlet that does not exist takes as long as one with a wrong
   * signature, so nobody learns which inlets exist. After too many of these from one address, the database is not asked for
   * accounts without inlets any more.
   *
   * @param from where it comes from; nothing is counted when left out
   * @throws Problem `service_unavailable`, or what the database throws, before it is known which inlet it is
   */
  accept: (inlet: InletKey, post: SignedRequest, from: string | undefined) => Promise<TakenIn>
}

export interface PostIntakeParts {
  inlets: Pick<OpenInlets, 'find' | 'hasAny'>
  strangers: Strangers
  /** Counts one request, as of a key. @returns whether it may pass */
  countRequest: (caller: { accountId: string; keyId: string; mode: Mode }) => Promise<boolean>
  send: SendPosted
  posts: Pick<KeptPosts, 'note'>
  runtime: Pick<Runtime, 'now'>
}

export function createPostIntake(parts: PostIntakeParts): PostIntake {
  const { inlets, strangers, countRequest, send, posts, runtime } = parts
  const nobody = createNobody(runtime.now)

  const find = async (key: InletKey, from: string | undefined): Promise<OpenInlet | undefined> => {
    const isCrowd = from !== undefined && (await strangers.tooMany(from))
    return isCrowd && !(await inlets.hasAny(key.accountId)) ? undefined : inlets.find(key)
  }

  const judge = async (inlet: OpenInlet, post: SignedRequest): Promise<TakenIn> => {
    const { accountId, id, mode } = inlet
    if (!(await countRequest({ accountId, keyId: `inlet ${accountId} ${id}`, mode })))
      return refused(inlet, new Problem('rate_limited', { retryAfterSeconds: 1 }))
    const taken = inlet.take(post)
    if ('lacks' in taken) return { outcome: 'unreadable', ...taken, answer: inlet.answerTo('unreadable') }
    const sent = await send(inlet, { ...taken, signedAt: inlet.signedAt(post) })
    if (sent instanceof Problem) return refused(inlet, sent)
    return { outcome: 'accepted', message: sent.id, answer: inlet.answerTo('accepted') }
  }

  return {
    accept: async (key, post, from) => {
      const inlet = await find(key, from)
      const isProven = (inlet?.verify ?? nobody(key))(post)
      if (!inlet || !isProven) {
        const isThrottled = from !== undefined && (await strangers.tooMany(from))
        if (from !== undefined && !isThrottled) strangers.count(from)
        // A crowd that is refused already costs the database nothing.
        if (inlet && !isThrottled) posts.note(inlet, { at: runtime.now(), outcome: 'signature' })
        return { outcome: isThrottled ? 'throttled' : 'signature' }
      }
      const result = await judge(inlet, post).catch((error: unknown) => refused(inlet, toPostProblem(error)))
      posts.note(inlet, { at: runtime.now(), ...toKeptPost(result) })
      return result
    },
  }
}

/** What an operator is told of it. Nothing of what was posted is in it. */
function toKeptPost(result: TakenIn): Omit<KeptPost, 'at' | 'count'> {
  if (result.outcome === 'refused') {
    const { code } = result.problem
    const fault = phoneFaultIn(result.problem)
    return { outcome: code, ...(fault !== undefined && { fault }) }
  }
  if (result.outcome === 'unreadable') return { outcome: result.outcome, lacks: result.lacks }
  const message = result.outcome === 'accepted' ? result.message : undefined
  return { outcome: result.outcome, ...(message !== undefined && { message }) }
}

function refused(inlet: OpenInlet, problem: Problem): TakenIn {
  return { outcome: 'refused', problem, answer: inlet.answerTo(problem.code) }
}

/**
 * The proof of an inlet that does not exist, which no post passes. It is checked as one of the kinds checks, under a secret that
 * nobody has, so it takes as long. An address always gets the same kind.
 */
function createNobody(now: () => Date): (key: InletKey) => OpenInlet['verify'] {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const proofs = new Map<string, OpenInlet['verify']>()
  return ({ accountId, id }) => {
    const kinds = inletKindNames()
    const mark = createHmac('sha256', secret).update(`${accountId} ${id}`).digest().readUInt32BE()
    const kind = kinds[mark % kinds.length]!
    const proof = proofs.get(kind) ?? createProof(inletKind(kind)!, { secrets: [secret], publicUrl: undefined, now })
    proofs.set(kind, proof)
    return proof
  }
}
