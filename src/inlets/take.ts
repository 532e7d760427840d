/** What a post says, taken as the file of its kind says. */
import type { PostedMessage } from '../domain/inlets/post.ts'
import { readPhone } from '../domain/sending/phones/typedPhone.ts'
import { readLocale } from '../domain/sending/wordings/language.ts'
import { readMediaType } from '../kit/reading/mediaType.ts'
import { findTextBy } from '../mapping/pointer.ts'
import { readBody } from './body.ts'
import { type KindFile, settingOf } from './kindSchema.ts'

/** A post of another form. */
export interface OtherForm {
  /** What it lacks, or has no use in: `phone (/sms/phone or /user/phone)`. Nothing of what was posted is in it. */
  lacks: string
}

/** @returns what is taken, or what the post lacks */
export type Take = (post: { headers: Readonly<Record<string, string>>; body: Uint8Array }) => PostedMessage | OtherForm

const codeForm = /^[0-9]{4,10}$/
/** Characters of each value but a text, and but a key, which is hashed: without its key, a repeat would be sent again. */
const valueMax = 200

/** @param settings of the inlet: in which members things are; what the file says where one is missing */
export function compileTake(file: KindFile, settings: Readonly<Record<string, string>>): Take {
  const { as, phone: phonePlaces, code, text, ...others } = file.take
  const pointersAt = (places: string | string[] | undefined) =>
    [places ?? []].flat().map((place) => pointerAt(place, file, settings))
  const findAt = (places: string | string[] | undefined) => findTextBy(pointersAt(places))
  const [phoneOf, codeOf, textOf] = [phonePlaces, code, text].map(findAt) as ReturnType<typeof findAt>[]
  const findLack = (wanted: Record<string, string | string[] | undefined>): OtherForm => {
    const named = Object.entries(wanted).filter(([, places]) => places !== undefined)
    return { lacks: named.map(([name, places]) => `${name} (${pointersAt(places).join(' or ')})`).join(' or ') }
  }
  const named = Object.entries(file.take).flatMap(([name, places]) =>
    name === 'as' ? [] : [[name, pointersAt(places)] as const],
  )
  const [noPhone, noContent] = [findLack({ phone: phonePlaces }), findLack({ 'code of 4 to 10 digits': code, text })]
  const oddText = { lacks: `${findLack({ text }).lacks} without U+0000 and unpaired surrogates` }
  const more = Object.entries(others).map(([name, places]) => [name as keyof typeof others, findAt(places)] as const)

  return ({ headers, body }) => {
    const asForm = isForm(as, headers)
    const { value, repeated, lacks } = readBody(asForm, headers['content-type'], body)
    if (lacks !== undefined) return { lacks }
    const isRepeated = (pointer: string) => repeated.some((twice) => `${pointer}/`.startsWith(`${twice}/`))
    const twice = named.find(([, pointers]) => pointers.some(isRepeated))
    if (twice) {
      return { lacks: `${asForm ? 'a form' : 'JSON'} in which ${twice[0]} comes once (${twice[1].join(' or ')})` }
    }
    const [to, own, whole] = [phoneOf!(value)?.trim(), codeOf!(value)?.trim(), textOf!(value)]
    if (to === undefined || !isText(to, valueMax)) return noPhone
    const content = toContent(own, whole)
    if (!content) return whole && !isText(whole) ? oddText : noContent
    const phone = readPhone(to, { isPlusImplied: file.phone === 'plus' }) ?? to
    const taken: PostedMessage = { phone, ...content }
    for (const [name, find] of more) {
      const found = find(value)
      const told = name === 'locale' && found !== undefined ? readLocale(found) : found
      if (told !== undefined && isText(told, name === 'key' ? undefined : valueMax)) taken[name] = told
    }
    return taken
  }
}

/** A code counts before the text around it. */
function toContent(
  code: string | undefined,
  text: string | undefined,
): { code: string } | { text: string } | undefined {
  if (code !== undefined && codeForm.test(code)) return { code }
  return text !== undefined && isText(text) && !isBlank(text) ? { text } : undefined
}

/** What a setting names is a member of the body itself, unless it is a pointer. */
function pointerAt(place: string, { settings: known }: KindFile, own: Readonly<Record<string, string>>): string {
  const setting = settingOf(place)
  if (setting === undefined) return place
  const said = own[setting] ?? known[setting]!.default
  return said.startsWith('/') ? said : `/${said.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function isForm(as: KindFile['take']['as'], headers: Readonly<Record<string, string>>): boolean {
  if (typeof as === 'string') return as === 'form'
  return readMediaType(headers['content-type']).type === 'application/x-www-form-urlencoded'
}

/** Nothing that a person could see: spaces, and characters of no width. */
function isBlank(text: string): boolean {
  return /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text)
}

/** What can be kept: no U+0000, and no half of a character. */
function isText(text: string, charactersMax = Number.POSITIVE_INFINITY): boolean {
  return text !== '' && text.length <= charactersMax && text.isWellFormed() && !text.includes('\0')
}
