/** What stands around every page: the head, and for who is signed in the menu. */
import { hasRole, type Role } from '../../domain/access/actor.ts'
import { type Html, html, type Part } from '../html.ts'
import { icon, script, stylesheet } from './assets.ts'
import { type IconName, iconOf } from './parts/icon.ts'
import type { View } from './route.ts'
import type { Saying } from './said.ts'
import type { SignedIn } from './signedIn.ts'

interface Entry {
  path: string
  name: string
  icon: IconName
  /** Who sees it; all when left out. */
  role?: Role
}

const menu: readonly { name?: string; entries: readonly Entry[] }[] = [
  {
    entries: [
      { path: '/', name: 'Overview', icon: 'overview' },
      { path: '/messages', name: 'Messages', icon: 'message' },
    ],
  },
  {
    name: 'Developers',
    entries: [
      { path: '/keys', name: 'Keys', icon: 'key' },
      { path: '/webhooks', name: 'Webhooks', icon: 'webhook' },
      { path: '/inlets', name: 'Inlets', icon: 'inlet' },
      { path: '/sandbox', name: 'Sandbox phone', icon: 'phone', role: 'developer' },
    ],
  },
  {
    name: 'Sending',
    entries: [
      { path: '/templates', name: 'Templates', icon: 'template' },
      { path: '/opt-outs', name: 'Opt-outs', icon: 'optOut' },
      { path: '/wording', name: 'Wording', icon: 'wording' },
      { path: '/channels', name: 'Channels', icon: 'channel' },
      { path: '/protection', name: 'Protection', icon: 'protection' },
    ],
  },
  {
    name: 'Settings',
    entries: [
      { path: '/people', name: 'People', icon: 'people', role: 'owner' },
      { path: '/audit', name: 'Audit', icon: 'audit', role: 'owner' },
    ],
  },
]

interface Page {
  title: string
  body: Html
}

interface AccountPage extends Page, Pick<View, 'section'> {
  session: SignedIn
  saying: (Pick<Saying, 'kind'> & { text: Part }) | undefined
}

/** For everybody: sign-in, and what went wrong. */
export function plainPage({ title, body }: Page): string {
  return document(
    title,
    html`<body class="plain">
<main class="card">
<p class="brand">${mark}Watchword</p>
${body}
</main>
</body>`,
  )
}

/** @returns the page with its menu */
export function accountPage({ title, section, body, session, saying }: AccountPage): string {
  return document(
    title,
    html`<body>
<a class="skip" href="#main">Skip to the page</a>
<header class="side">
<p class="brand"><a href="/">${mark}Watchword</a></p>
<button type="button" class="quiet menu-button" popovertarget="menu">${iconOf('menu')}Menu</button>
<div class="menu" id="menu" popover>
<nav aria-label="Pages">
${menu.map(({ name, entries }) =>
  group(
    name,
    entries.filter(({ role = 'viewer' }) => hasRole(session.actor.role, role)),
    section,
  ),
)}
</nav>
<div class="who">
<a href="/profile"${section === '/profile' && html` aria-current="page"`}>${iconOf('person')}<span>${session.actor.name}<small>${session.account} · ${session.actor.role}</small></span></a>
<form method="post" action="/sign-out"><button class="quiet">Sign out</button></form>
</div>
</div>
</header>
<main id="main" tabindex="-1">
${saying && html`<p class="saying ${saying.kind}" role="status">${iconOf(saying.kind === 'done' ? 'done' : 'fault')}${saying.text}</p>`}
${body}
</main>
</body>`,
  )
}

const mark = html`<img src="${icon.path}" alt="" width="20" height="20">`

function group(name: string | undefined, entries: readonly Entry[], section: string | undefined): Html | undefined {
  if (entries.length === 0) return undefined
  return html`${name !== undefined && html`<h2>${name}</h2>`}<ul>${entries.map(
    (entry) =>
      html`<li><a href="${entry.path}"${entry.path === section && html` aria-current="page"`}>${iconOf(entry.icon)}<span>${entry.name}</span></a></li>`,
  )}</ul>`
}

function document(title: string, body: Html): string {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Watchword</title>
<link rel="icon" href="${icon.path}" type="image/svg+xml">
<link rel="stylesheet" href="${stylesheet.path}">
<script type="module" src="${script.path}"></script>
</head>
${body}
</html>
`.text
}
