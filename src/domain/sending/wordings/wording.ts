/** An account's own wording of its codes. */
import { isDeepStrictEqual } from 'node:util'
import { placedRefusal } from '../../../kit/refusal.ts'
import type { Runtime } from '../../../kit/runtime.ts'
import { lockAccount } from '../../../store/access/account.ts'
import { findWordings, putWording, type WordingRow } from '../../../store/wording.ts'
import type { ActCommit, WriteNote } from '../../access/act.ts'
import { type Actor, requireRole, sees } from '../../access/actor.ts'
import { noWording } from './known.ts'
import { languageIn } from './language.ts'
import {
  type GivenWording,
  readWording,
  type WordingForms,
  type WrittenWording,
  wordingFaultText,
} from './wordingForm.ts'

export interface Wordings {
  /**
   * Makes the whole wording of an account this one.
   *
   * @throws Refusal which names everything that is wrong, Forbidden
   */
  apply: (actor: Actor, accountId: string, given: WrittenWording) => Promise<void>
  /**
   * Words one language, or no longer: without a text, the one that ships is sent again.
   *
   * @throws Refusal which names everything that is wrong, Forbidden
   */
  change: (actor: Actor, accountId: string, language: string, text: string | undefined) => Promise<void>
  /** Sets what stands for sends that name none. @throws Refusal which names everything that is wrong, Forbidden */
  setDefaults: (actor: Actor, accountId: string, defaults: Pick<GivenWording, 'default' | 'domain'>) => Promise<void>
  /** All of it; empty for an account that has none. */
  find: (actor: Actor, accountId: string) => Promise<WordingRow>
}

export interface WordingParts {
  commit: ActCommit
  runtime: Pick<Runtime, 'now'>
  forms: WordingForms
}

export function createWordings({ commit, runtime, forms }: WordingParts): Wordings {
  /** @param make what is to be, from what is */
  const write = async (actor: Actor, accountId: string, make: (before: WordingRow) => WrittenWording) => {
    requireRole(actor, 'developer', accountId)
    await commit.as(actor).transaction(async (tx, note) => {
      await lockAccount(tx, accountId)
      const before = (await findWordings(tx, [accountId]))[0] ?? noWording
      const { wording, faults } = readWording(make(before), forms)
      if (faults.length > 0) throw placedRefusal(faults, wordingFaultText)
      await putWording(tx, { accountId, ...wording, updatedAt: runtime.now() })
      await noteChange(note, accountId, { before, after: wording })
    })
  }

  return {
    apply: (actor, accountId, given) => write(actor, accountId, () => given),
    change: (actor, accountId, language, text) =>
      write(actor, accountId, (before) => {
        const tag = languageIn(language) ?? language
        const { [tag]: _old, ...others } = before.texts
        return { ...givenOf(before), texts: text === undefined ? others : { ...others, [tag]: text } }
      }),
    setDefaults: (actor, accountId, defaults) => write(actor, accountId, ({ texts }) => ({ ...defaults, texts })),
    find: async (actor, accountId) => {
      const [found] = sees(actor, accountId) ? await findWordings(commit.reader, [accountId]) : []
      return found ?? noWording
    },
  }
}

function givenOf({ locale, domain, texts }: WordingRow): GivenWording {
  return { default: locale ?? undefined, domain: domain ?? undefined, texts }
}

/** The texts themselves are not repeated. What is written as it was before, was not changed. */
async function noteChange(
  note: WriteNote,
  accountId: string,
  { before, after }: { before: WordingRow; after: WordingRow },
): Promise<void> {
  const tags = [...new Set([...Object.keys(before.texts), ...Object.keys(after.texts)])]
  const changed = [
    ...(before.locale === after.locale ? [] : ['default']),
    ...(before.domain === after.domain ? [] : ['domain']),
    ...tags.filter((tag) => !isDeepStrictEqual(before.texts[tag], after.texts[tag])),
  ]
  if (changed.length > 0) await note({ accountId, act: 'wording.changed', subject: accountId, detail: { changed } })
}
