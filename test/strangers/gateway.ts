/** A gateway as a user has one: it takes texts, and asks the address of the reports when it is told what became of them. */
import { startProvider } from '../support/provider.ts'
import type { Site } from './site.ts'

export interface TakenText {
  to: string
  text: string
  report_url: string
}

export interface Gateway {
  url: string
  /** What it took, oldest first. */
  taken: () => TakenText[]
  close: () => Promise<void>
}

export async function openGateway(): Promise<Gateway> {
  const headers = { 'Content-Type': 'application/json' }
  const { url, asked, close } = await startProvider(() => {
    return { status: 200, headers, body: JSON.stringify({ id: crypto.randomUUID() }) }
  })
  return { url, taken: () => asked.map(({ body }) => JSON.parse(body) as TakenText), close }
}

/** The file of such a gateway. @param report what is special of its reports */
export const gatewayFile = (report: string) => `provider: gateway
title: Gateway
settings: { base_url: { host: true } }
request:
  url: "{{s.base_url}}/send"
  body: { to: "{{to}}", text: "{{text}}", report_url: "{{report_url}}" }
answer:
  id: /id
  rules: [{ when: { status: 2xx, /id: "*" }, is: sent }]
report:
  as: json
  status: /status
  error: /error
  map: { delivered: delivered, sent: sent, failed: failed }
  signature: { scheme: url-token }
${report.replace(/^/gm, '  ')}
`

/**
 * Posts a report to the address that a text was sent with, whatever host the service has for the world.
 *
 * @param report what is written as JSON; a text is sent as it is
 */
export async function reportTo(site: Site, { report_url }: TakenText, report: object | string): Promise<void> {
  const { pathname, search } = new URL(report_url)
  const headers = { 'Content-Type': 'application/json' }
  const { status } = await fetch(`${site.url}${pathname}${search}`, {
    method: 'POST',
    headers,
    body: typeof report === 'string' ? report : JSON.stringify(report),
  })
  if (status !== 200) throw new Error(`the report was answered ${status}`)
}
