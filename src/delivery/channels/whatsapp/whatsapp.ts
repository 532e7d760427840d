/** WhatsApp Cloud API: codes and notifications as templates that WhatsApp has approved. */
import { z } from 'zod'
import type { AddressGuard } from '../../../outbound/address.ts'
import { createClient } from '../../../outbound/client.ts'
import type { Channel, ChannelParts, Kind } from '../../channel.ts'
import { baseUrlForm, baseUrlPlace } from '../baseUrl.ts'
import { check } from './check.ts'
import { fillForWhatsapp } from './components.ts'
import { fields, standards } from './fields.ts'
import { listForImport } from './import.ts'
import { toGraphOutcome } from './outcome.ts'
import { createHandshake, createParse, createWhatsappVerify } from './reports.ts'
import { buildAsking, codeTemplate } from './request.ts'
import { nameIn, templateSettings, text, variablesIn } from './template.ts'
import { watchTemplates } from './watch.ts'

const id = text(/^\d{1,32}$/, 'must be digits, in quotes')
/** Without a space, so that it can stand in a header. */
const secret = text(/^[\x21-\x7e]{1,1000}$/, 'must be 1 to 1000 visible ASCII characters')

const settings = {
  phone_number_id: id,
  business_account_id: id,
  access_token: secret,
  /** Two while one is replaced. */
  app_secret: z.union([secret, z.array(secret).min(1).max(2)], 'must be a secret, or a list of one or two'),
  verify_token: secret,
  code_template: codeTemplate,
  graph_version: text(/^v\d{1,3}\.\d$/, 'must be a version like v23.0').default(standards.graphVersion),
  per_second: z.int().min(1).max(1000).default(standards.perSecond),
}

const settingsForm = (guard: AddressGuard) =>
  z.strictObject({ ...settings, base_url: baseUrlForm(guard).default(standards.baseUrl) })

type Settings = z.infer<ReturnType<typeof settingsForm>>

const standardLimits = { connectMs: 3000, totalMs: 8000, answerBytesMax: 65_536 }
/** Messages that WhatsApp is asked to send at once: those of so many seconds, so that some it does not answer hold up no others. */
const atOnce = { seconds: 2, min: 64 }

/** @param guard where a connection may lead */
export function createWhatsappKind({ guard }: { guard: AddressGuard }): Kind<Settings> {
  return {
    settings: settingsForm(guard),
    placesOf: baseUrlPlace,
    faultOfPlace: guard.faultOfPlace,
    fields: () => fields,
    template: templateSettings,
    templateVariables: variablesIn,
    words: {
      title: 'WhatsApp',
      carries: 'Codes, and notifications if their template has a WhatsApp name',
      reports: 'Enter it as the callback URL of your app at Meta, with the verify_token in your file.',
    },
    carries: (message) => message.kind === 'verification' || templateSettings.safeParse(message.template).success,
    fill: fillForWhatsapp,
    templateName: nameIn,
    open: (opened, parts) => open(opened, parts, guard),
  }
}

function open(opened: Settings, parts: ChannelParts, guard: AddressGuard): Channel {
  const { accountId, runtime, answerMs = standardLimits.totalMs } = parts
  const connectMs = Math.min(standardLimits.connectMs, answerMs / 2)
  const atOnceMax = Math.max(atOnce.min, opened.per_second * atOnce.seconds)
  const limits = { ...standardLimits, connectMs, totalMs: answerMs, connectionsMax: atOnceMax, guard }
  const client = createClient({ ...limits, now: runtime.now })
  const base = `${opened.base_url}/${opened.graph_version}`
  const headers = { Authorization: `Bearer ${opened.access_token}` }
  const posting = { ...headers, 'Content-Type': 'application/json' }
  const checked = {
    phoneNumberId: opened.phone_number_id,
    businessAccountId: opened.business_account_id,
    codeTemplate: opened.code_template,
    get: (path: string) => client.ask({ method: 'GET', url: `${base}/${path}`, headers }),
  }
  const url = `${base}/${opened.phone_number_id}/messages`
  return {
    perSecond: opened.per_second,
    atOnceMax,
    send: async (message) => {
      const asking = buildAsking(message, opened.code_template)
      if (!('refused' in asking)) {
        const answer = await client.ask({ method: 'POST', url, headers: posting, body: asking.body })
        return toGraphOutcome(answer, asking.template)
      }
      const { refused: reason, template } = asking
      const why = { reason, isUnasked: true } as const
      return template ? { kind: 'down', template, ...why } : { kind: 'failed', code: 'rejected_by_channel', ...why }
    },
    verify: createWhatsappVerify([opened.app_secret].flat()),
    parse: createParse({ accountId, ...checked, now: runtime.now }),
    handshake: createHandshake(opened.verify_token),
    isReported: true,
    check: (templates) => check(checked, templates),
    templates: () => listForImport(checked),
    watch: (templates) => watchTemplates(checked, templates),
    close: client.close,
  }
}
