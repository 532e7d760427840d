/** Lists of inlets as operators write them: what is wrong with one, and what is kept of it. */
import { z } from 'zod'
import { faultsOfForm, type PlacedFault } from '../../kit/reading/formFaults.ts'
import { isStorable, notStorable } from '../../kit/reading/storable.ts'
import { schemaWords } from '../../kit/reading/wrongType.ts'
import type { Mode } from '../../store/schema/columns.ts'
import { languageIn } from '../sending/wordings/language.ts'

/** What a kind of inlets lets an operator configure. */
export interface InletKind {
  /** What people call the system that posts. */
  title: string
  /** What `settings` of an entry may say, by name. */
  settings: Readonly<Record<string, InletPlace>>
  /** @returns what is wrong with a secret, as the end of a sentence that does not quote it */
  secretFault: (secret: string) => string | undefined
  /** @returns what is wrong with the place that a setting names, in the same way */
  placeFault: (place: string) => string | undefined
}

/** A member of a post whose name an inlet chooses. */
export interface InletPlace {
  /** What it holds. */
  about: string
  /** Its name where the inlet says nothing. */
  default?: string | undefined
}

export interface InletKinds {
  names: () => readonly string[]
  find: (name: string) => InletKind | undefined
}

/** What the contract lets callers say of a message. */
export interface InletForms {
  /** `words`: what a brand is, as the end of a sentence. */
  brand: TextForm & { words: string }
  host: TextForm
  /** Of a host that the codes of an inlet for tests may be bound to. */
  trialHost: TextForm
  appHash: TextForm
}

interface TextForm {
  pattern: RegExp
  maxLength: number
}

/** What is said where a post does not say it, and where in a post things are. */
export interface InletSettings {
  brandName?: string
  locale?: string
  autofill?: { domain?: string; appHash?: string }
  /** In which members, where the kind leaves that open. */
  places?: Record<string, string>
}

export interface InletEntry {
  id: string
  kind: string
  mode: Mode
  /** Two while one is replaced. */
  secrets: string[]
  settings: InletSettings
}

export interface InletEntryParts {
  kinds: InletKinds
  forms: InletForms
}

/** Inlets of an account. */
export const inletsMax = 20
const idForm = /^[a-z][a-z0-9-]{0,31}$/
const hostWords = 'must be a host like acme.com, and nothing else'
const secretsForm = 'must be a text, or a list of two while it is replaced'

/**
 * @param missing values that are not in the list because they could not be had: of each, that alone is said
 * @returns the entries, of use only where there is no fault; no fault has a value in it
 */
export function readInlets(
  list: readonly unknown[],
  parts: InletEntryParts,
  missing: readonly PlacedFault[] = [],
): { entries: InletEntry[]; faults: PlacedFault[] } {
  const form = z.array(toForm(parts)).max(inletsMax, `must have at most ${inletsMax} inlets`)
  const { data, error } = form.safeParse(list, { error: schemaWords })
  const isMissing = ({ path }: PlacedFault) => missing.some((one) => isSamePlace(one.path, path))
  const ids = list.map((one) => (one as { id?: unknown } | null)?.id)
  const twice = ids.flatMap((id, index) =>
    typeof id === 'string' && ids.indexOf(id) < index ? [{ path: [index, 'id'], fault: 'is there twice' }] : [],
  )
  const found = [...faultsOfForm(error, list), ...twice]
  return { entries: data ?? [], faults: [...missing, ...found.filter((fault) => !isMissing(fault))] }
}

/** Whether one of the two is the other, or a part of it; the entry as a whole, at a path of one step, is no part. */
function isSamePlace(one: readonly PropertyKey[], other: readonly PropertyKey[]): boolean {
  const steps = Math.min(one.length, other.length)
  return steps > 1 && one.slice(0, steps).every((step, at) => other[at] === step)
}

function toForm({ kinds, forms }: InletEntryParts) {
  const text = z.string({ error: 'must be a text' })
  // Files that hold a secret often end with a line end; no system sends one in a header.
  const secret = text.trim()
  const matching = ({ pattern, maxLength }: TextForm, fault: string) => text.max(maxLength, fault).regex(pattern, fault)
  return z
    .strictObject(
      {
        id: text.regex(idForm, 'must be 1 to 32 lower-case letters, digits and "-", and begin with a letter'),
        kind: text.refine((name) => kinds.names().includes(name), `must be one of ${kinds.names().join(', ')}`),
        mode: z.enum(['live', 'test'], 'must be live or test'),
        secret: z
          .union([secret, z.array(secret).min(1).max(2)], secretsForm)
          .transform((secret) => [...new Set([secret].flat())]),
        brand_name: matching(forms.brand, `must be ${forms.brand.words}`).min(1).optional(),
        locale: text.transform(readLanguage).optional(),
        autofill: z
          .strictObject({
            domain: matching(forms.trialHost, hostWords).optional(),
            app_hash: matching(forms.appHash, 'must be the 11 characters of an Android app').optional(),
          })
          .optional(),
        settings: z
          .record(text, text.min(1, 'must not be empty').max(200, 'must have at most 200 characters'))
          .optional(),
      },
      { error: schemaWords },
    )
    .refine(isStorable, notStorable)
    .superRefine(
      (entry, context) => {
        for (const { path, fault } of faultsTogether(entry, { kinds, forms }))
          context.addIssue({ code: 'custom', path: [...path], message: fault })
      },
      // Also where another member is wrong: an operator is told everything at once.
      { when: ({ value }) => typeof value === 'object' && value !== null },
    )
    .transform(({ id, kind, mode, secret: secrets, brand_name, locale, autofill, settings: places }): InletEntry => {
      const { domain, app_hash: appHash } = autofill ?? {}
      return {
        ...{ id, kind, mode, secrets },
        settings: {
          ...(brand_name !== undefined && { brandName: brand_name }),
          ...(locale !== undefined && { locale }),
          ...(autofill && { autofill: { ...(domain && { domain }), ...(appHash && { appHash }) } }),
          ...(places && { places }),
        },
      }
    })
}

/** What is wrong with members because of what others are. Each may be of any type still. */
function* faultsTogether(entry: Record<string, unknown>, { kinds, forms }: InletEntryParts): Generator<PlacedFault> {
  const { kind: name, mode, secret, autofill, settings } = entry
  const { domain } = (autofill ?? {}) as { domain?: unknown }
  if (mode === 'live' && typeof domain === 'string' && !forms.host.pattern.test(domain))
    yield { path: ['autofill', 'domain'], fault: hostWords }
  const kind = typeof name === 'string' ? kinds.find(name) : undefined
  if (!kind) return
  for (const one of [secret].flat().filter((one) => typeof one === 'string')) {
    const fault = kind.secretFault(one)
    if (fault !== undefined) yield { path: ['secret'], fault }
  }
  const places = Object.entries(settings ?? {})
  for (const [member] of places.filter(([one]) => !Object.hasOwn(kind.settings, one)))
    yield { path: ['settings', member], fault: `is not known to ${name}` }
  for (const [member, at] of places) {
    const fault = typeof at === 'string' ? kind.placeFault(at) : undefined
    if (fault !== undefined) yield { path: ['settings', member], fault }
  }
}

function readLanguage(text: string, context: Pick<z.RefinementCtx, 'addIssue'>): string {
  const language = languageIn(text)
  if (language === undefined)
    context.addIssue({ code: 'custom', message: 'must be a language as BCP 47 writes it, like de or pt-BR' })
  return language ?? ''
}
