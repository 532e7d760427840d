/** The admin paths: what can be done to the simulator, over HTTP, from this machine. */
import { z } from 'zod'
import { faultsOfForm, placeText } from '../kit/reading/formFaults.ts'
import { schemaWords } from '../kit/reading/wrongType.ts'
import { type Control, UnknownFault } from './control.ts'
import { faultTable, passing, wireNames } from './faults.ts'
import { type Incoming, parseJson, type Reply } from './reply.ts'
import { type Templates, templateChangeForm, templateForm } from './whatsapp/templates.ts'

export interface AdminParts {
  control: Control
  templates: Templates
}

const wire = z.enum(wireNames)
const forms = {
  fault: z.strictObject({ fault: z.string().nullable(), wire: wire.optional() }),
  report: z.strictObject({
    id: z.string(),
    status: z.enum(['delivered', 'read', 'failed', 'expired', 'revoked']),
    code: z.union([z.string().regex(/^(\d{1,9}|[a-z_]{1,32})$/), z.int().min(0).transform(String)]).optional(),
  }),
  reply: z.strictObject({ id: z.string(), text: z.string().max(1600) }),
  chaos: z.strictObject({
    probability: z.number().min(0).max(1),
    seed: z.int().default(1),
    faults: z.array(z.string()).min(1).optional(),
  }),
  slowness: z.strictObject({ every: z.int().min(1), ms: z.int().min(0).max(100_000) }),
  webhooks: z.strictObject({
    whatsapp: z.url({ protocol: /^https?$/ }).optional(),
    numbers: z.record(z.string().regex(/^\d+$/), z.url({ protocol: /^https?$/ })).optional(),
    telegram: z.url({ protocol: /^https?$/ }).optional(),
    sms: z.record(z.string(), z.url({ protocol: /^https?$/ })).optional(),
  }),
}

type Act = (parts: AdminParts, body: unknown) => Reply | Promise<Reply>

/** By method and path, below `/_simulator`. */
const acts: Record<string, Act> = {
  'GET ': ({ control }) => json(control.state()),
  'GET /faults': () => json({ faults: faultTable, chaos: passing }),
  'GET /phones': ({ control }) => json(control.phones().map(counted)),
  'DELETE /phones': ({ control }) => done(control.forget()),
  'GET /templates': ({ templates }) => json(templates.list()),
  'PUT /templates': ({ control }, body) => done(control.putTemplate(read(templateForm, body))),
  'POST /templates': async ({ control }, body) => {
    const posted = await control.changeTemplate(read(templateChangeForm, body))
    return posted ? json(posted) : error(404, 'There is no such template in this language.')
  },
  'PUT /chaos': ({ control }, body) => done(control.chaos(read(forms.chaos, body))),
  'DELETE /chaos': ({ control }) => done(control.chaos(null)),
  'PUT /slowness': ({ control }, body) => done(control.slow(read(forms.slowness, body))),
  'DELETE /slowness': ({ control }) => done(control.slow(null)),
  'PUT /webhooks': ({ control }, body) => done(control.pointAt(defined(read(forms.webhooks, body)))),
  'POST /handshake': async ({ control }) => json(await control.shakeHands()),
  'POST /reports': async ({ control }, body) => {
    const { id, status, code } = read(forms.report, body)
    const posted = await control.report(id, status, code)
    return posted ? json(posted) : error(404, 'There is no such message that was taken, or nowhere to report it to.')
  },
  'POST /replies': async ({ control }, body) => {
    const { id, text } = read(forms.reply, body)
    const posted = await control.reply(id, text)
    return posted
      ? json(posted)
      : error(
          404,
          'There is no such message that was taken, its provider hands on no replies, or nowhere to post them to.',
        )
  },
  'GET /settled': async ({ control }) => done(await control.settled()),
}

const known = Object.keys(acts)
  .map((act) => (act.endsWith(' ') ? `${act}/` : act))
  .join(', ')

const phonePath = /^\/phones\/(?:%2B|\+)?([1-9]\d{6,14})$/i

/** @param path below `/_simulator` */
export async function administer(parts: AdminParts, incoming: Incoming, path: string): Promise<Reply> {
  const { method } = incoming
  if (method !== 'GET' && isFromPage(incoming)) return error(403, 'A page of another site asks for this.')
  if (method === 'POST' && !isJson(incoming)) return error(403, 'A POST needs Content-Type: application/json.')
  const [, digits] = phonePath.exec(path) ?? []
  const act = digits === undefined ? acts[`${method} ${path}`] : actOnPhone(method, `+${digits}`)
  if (!act) return error(404, `Below /_simulator there is ${known}, and GET, PUT and DELETE /phones/{phone}.`)
  try {
    return await act(parts, parseJson(incoming.body))
  } catch (fault) {
    if (fault instanceof z.ZodError) return error(400, faultsText(fault))
    if (fault instanceof UnknownFault) return error(400, fault.message)
    throw fault
  }
}

function read<Form extends z.ZodType>(form: Form, body: unknown): z.output<Form> {
  return form.parse(body, { error: schemaWords })
}

function faultsText(error: z.ZodError): string {
  const told = faultsOfForm(error).map(({ path, fault }) => `${placeText(path) || 'the body'} ${fault}`)
  return `${told.join('; ')}.`
}

function actOnPhone(method: string, phone: string): Act | undefined {
  const byMethod: Record<string, Act> = {
    GET: ({ control }) => json(control.phone(phone)),
    DELETE: ({ control }) => done(control.forget(phone)),
    PUT: ({ control }, body) => {
      const { fault, wire } = read(forms.fault, body)
      return done(control.setFault(phone, fault, wire))
    },
  }
  return byMethod[method]
}

/** A browser lets a page of another site post a form or a text here, but neither JSON nor under our name. */
function isFromPage({ headers }: Incoming): boolean {
  const site = headers['sec-fetch-site'] ?? 'none'
  return site !== 'same-origin' && site !== 'none'
}

/** For browsers that do not say where a form comes from. */
function isJson({ headers }: Incoming): boolean {
  return /^application\/json\b/.test(headers['content-type'] ?? '')
}

function counted({ phone, faults, messages }: ReturnType<Control['phone']>) {
  const taken = messages.filter((one) => one.taken).length
  return { phone, faults, messages: taken, refused: messages.length - taken, last_at: messages.at(-1)?.at ?? null }
}

function json(value: unknown): Reply {
  return { status: 200, value, headers: { 'Cross-Origin-Resource-Policy': 'same-origin' } }
}

function done(_nothing: unknown): Reply {
  return json({})
}

function error(status: number, text: string): Reply {
  return { status, value: { error: text } }
}

/** Without those that were left out. */
function defined<Value extends object>(value: Value) {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))
}
