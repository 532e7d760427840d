/** The page: what each phone got, as on its screen, and what can go wrong. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Control } from '../control.ts'
import type { Events } from '../events.ts'
import type { Journal } from '../journal.ts'
import type { Phones } from '../phones.ts'
import type { Incoming, Reply } from '../reply.ts'
import { render, renderParts } from './render.ts'

export interface PageParts {
  control: Control
  phones: Phones
  journal: Journal
  events: Events
}

const phonesShown = 24
const messagesShown = 12

const policy = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ')
const headers = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** @returns undefined for a path that is none of the page's */
export function createPage({ control, phones, journal, events }: PageParts): (incoming: Incoming) => Reply | undefined {
  const view = () => ({
    phones: phones.newest(phonesShown, messagesShown),
    state: control.state(),
    entries: journal.entries(),
  })
  const files: Record<string, () => Reply> = {
    '/': () => page(render(view()).text, 'text/html; charset=utf-8'),
    '/_simulator/parts': () => page(renderParts(view()).text, 'text/html; charset=utf-8'),
    '/_simulator/page.css': () => page(toFile('page.css'), 'text/css; charset=utf-8'),
    '/_simulator/page.js': () => page(toFile('page.js'), 'text/javascript; charset=utf-8'),
    '/_simulator/icon.svg': () => page(toFile('icon.svg'), 'image/svg+xml'),
    '/_simulator/events': () => ({ status: 200, open: events.attach }),
  }
  return ({ method, path }) => (method === 'GET' && Object.hasOwn(files, path) ? files[path]?.() : undefined)
}

function page(text: string, type: string): Reply {
  return { status: 200, text, headers: { ...headers, 'Content-Type': type } }
}

const texts = new Map<string, string>()

function toFile(name: string): string {
  const text = texts.get(name) ?? readFileSync(join(import.meta.dirname, name), 'utf8')
  texts.set(name, text)
  return text
}
