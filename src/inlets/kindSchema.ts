/** What the file of a kind of inlets may say: one schema for all of it. `docs/inlets.md` explains each member to those who write one. */
import { z } from 'zod'
import { knownErrorCodes } from '../contract/document.ts'
import { bounded, checked, headerForm, nameForm, pointerForm, textForm } from '../mapping/forms.ts'
import { pointerFault } from '../mapping/pointer.ts'
import { hmacForm, requireSignedTime } from '../mapping/signatures/signature.ts'

/** How a post is proven, with the secret of the inlet. */
const auth = z
  .discriminatedUnion(
    'scheme',
    [
      /** Standard Webhooks 1.0. */
      z.strictObject({ scheme: z.literal('standard-webhooks') }),
      hmacForm,
      /** The secret itself, in a header. */
      z.strictObject({
        scheme: z.literal('bearer'),
        header: headerForm.default('authorization'),
        /** What the header begins with, before the secret; letters of either case. */
        prefix: z.string().max(100).default('Bearer '),
      }),
      /** `user:password`, RFC 7617. */
      z.strictObject({ scheme: z.literal('basic') }),
    ],
    'must be one of standard-webhooks, hmac, bearer, basic',
  )
  .superRefine(requireSignedTime)

const settingForm = /^\{\{\s*s\.([a-z][a-z0-9_]{0,31})\s*\}\}$/
/** A pointer, or `{{s.<setting>}}`: then the inlet's own entry says where. */
const place = z.union(
  [textForm.regex(settingForm), pointerForm],
  'must be a JSON Pointer like /sms/otp, or a setting like {{s.code}}',
)
/** One, or a list: then the first that leads to something counts. */
const places = z.union([place, z.array(place).min(1).max(8)], 'must be a place like /sms/otp, or a list of them')

const format = z.enum(['json', 'form'], 'must be json or form')
const take = z
  .strictObject({
    /** A list of both: the type that the post names decides. */
    as: z.union([format, z.array(format).length(2)], 'must be json, form, or a list of both').default('json'),
    phone: places,
    code: places.optional(),
    /** The whole text, where there is no code: it is sent by connections that can carry a text. */
    text: places.optional(),
    /** BCP 47; `_` for `-` will do. */
    locale: places.optional(),
    /** Of the person who asked for the code. */
    ip: places.optional(),
    user: places.optional(),
    /** Names the piece of work: the same in every try. Left out, the same code for the same user and phone is a repeat. */
    key: places.optional(),
  })
  .refine(({ code, text }) => code !== undefined || text !== undefined, 'must have a code or a text')

/** Names of outcomes that stand for several: `later` for what is to be tried again, `refused` for all else that is refused. */
export const outcomeGroups = ['later', 'refused'] as const
const outcomeNames = ['accepted', 'unreadable', ...outcomeGroups, ...knownErrorCodes] as const
const outcome = z.enum(outcomeNames, `must be one of ${outcomeNames.join(', ')}`)

const answer = z
  .strictObject({
    status: z.int().min(200).max(599),
    type: textForm.max(100).default('application/json'),
    /** JSON; with another type, the text. Empty when left out. */
    body: z.json().optional(),
  })
  .refine(
    ({ type, body }) => type === 'application/json' || body === undefined || typeof body === 'string',
    'must have a text as its body, with that type',
  )

const taken = z.strictObject({
  phone: textForm,
  code: textForm.optional(),
  text: textForm.optional(),
  locale: textForm.optional(),
  ip: textForm.optional(),
  user: textForm.optional(),
  key: textForm.optional(),
})

const postExample = z.strictObject({
  about: textForm.optional(),
  settings: z.record(nameForm, textForm).default({}),
  post: z.strictObject({ headers: z.record(textForm, textForm).default({}), body: z.json() }),
  /** `unreadable` for a body of another form. */
  takes: z.union([taken, z.literal('unreadable')], 'must be what is taken, or unreadable'),
})

const answerExample = z.strictObject({
  about: textForm.optional(),
  outcome: z.enum(['accepted', 'unreadable', ...knownErrorCodes], 'must be accepted, unreadable or an error code'),
  answers: z.strictObject({ status: z.int(), type: textForm.optional(), body: z.json().optional() }),
})

export const kindForm = z
  .strictObject({
    kind: textForm.regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be 1 to 32 lower-case letters, digits and "-"'),
    title: textForm.max(60, 'must have at most 60 characters'),
    /** One, or a list: then any of them will do. */
    auth: z.union([auth, z.array(auth).min(1).max(4)]).transform((one) => [one].flat()),
    /** Where the entry of an inlet may say in which member something is. */
    settings: bounded(
      z.record(
        nameForm,
        z.strictObject({
          about: textForm,
          /** The name of a member, or a JSON Pointer. */
          default: checked(textForm, memberFault),
        }),
      ),
      16,
    ).default({}),
    take,
    /** Phones may come without their plus, or with `00` in its place. */
    phone: z.literal('plus', 'must be plus').optional(),
    answer: z.partialRecord(outcome, answer).default({}),
    examples: z
      .array(z.union([postExample, answerExample]))
      .max(100)
      .default([]),
  })
  .superRefine(({ settings, take }, context) => {
    for (const [member, value] of Object.entries(take)) {
      const names = [value].flat().flatMap((one) => settingForm.exec(one ?? '')?.[1] ?? [])
      for (const name of names.filter((one) => !Object.hasOwn(settings, one)))
        context.addIssue({ code: 'custom', path: ['take', member], message: `names ${name}, which is no setting` })
    }
  })

/** @returns what is wrong with where a setting says that something is: what begins with a slash is a pointer, all else a name */
export function memberFault(text: string): string | undefined {
  return text.startsWith('/') ? pointerFault(text) : undefined
}

/** @returns the setting that a place names; undefined for a pointer */
export function settingOf(place: string): string | undefined {
  return settingForm.exec(place)?.[1]
}

/** A kind of inlets, as its file says. */
export type KindFile = z.infer<typeof kindForm>
