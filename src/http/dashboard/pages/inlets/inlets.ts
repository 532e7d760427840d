/** Developers › Inlets: which auth systems post their codes here, and what came of that. */
import type { ListedInlet } from '../../../../domain/inlets/inlet.ts'
import { Refusal } from '../../../../kit/refusal.ts'
import { type Html, html, type Part } from '../../../html.ts'
import { actButton, emptyOf, headOf } from '../../parts/act.ts'
import { counted } from '../../parts/amount.ts'
import { blockOf, renderAddressBlock } from '../../parts/code.ts'
import { toned } from '../../parts/status.ts'
import { renderTable } from '../../parts/table.ts'
import { timeOf } from '../../parts/time.ts'
import type { Asked, Done, GuardedRoute, View } from '../../route.ts'
import { guidePathOf } from '../guide.ts'
import { inletEditRoutes } from './inletEdit.ts'

const section = '/inlets'

export const inletPageRoutes: readonly GuardedRoute[] = [
  { method: 'GET', path: section, role: 'viewer', show: list },
  ...inletEditRoutes,
  { method: 'GET', path: '/inlets/:id', role: 'owner', isSensitive: true, show: one },
  {
    method: 'POST',
    path: '/inlets/:id/remove',
    role: 'owner',
    isSensitive: true,
    act: remove,
    back: () => section,
  },
]

async function list(asked: Asked): Promise<View> {
  const { desk, actor } = asked
  const inlets = await desk.inlets.list(actor, actor.accountId)
  const isOwner = actor.role === 'owner'
  const button = isOwner && html`<a class="button" href="/new-inlet">Add an inlet</a>`
  const body = html`${headOf('Inlets', inlets.length > 0 && button)}
${
  inlets.length === 0
    ? emptyOf(
        html`An inlet is an address to which an auth system posts its codes, like Supabase or Zitadel. There is none yet. <a href="/guide/inlets">Which systems can</a>`,
        button,
      )
    : html`<p class="lead">Auth systems post their codes to these addresses, and the codes go out through your <a href="/channels">channels</a>. <a href="/guide/inlets">How each system is set up</a></p>
<ul class="channels" id="inlets" data-live="10">${inlets.map((inlet) => renderInlet(asked, inlet))}</ul>`
}
${inlets.length > 0 && html`<p class="quiet-text small">If the operator applies a file with <code>inlets apply</code>, these are replaced by those of the file.</p>`}`
  return { title: 'Inlets', section, body }
}

function renderInlet(asked: Asked, inlet: ListedInlet): Html {
  const { id, title, mode } = inlet
  return html`<li class="panel">
<div class="head"><h2><code>${id}</code><span class="quiet-text">${title}</span>${mode === 'test' && html` <span class="tag">test</span>`}</h2></div>
${renderAddress(asked, inlet, html`<h3>Where it posts to</h3>`)}
${renderPosts(inlet)}
${asked.actor.role === 'owner' && html`<div class="acts"><a class="button plain" href="/inlets/${id}">Secret</a></div>`}
</li>`
}

function renderAddress({ apiUrl }: Asked, { path, kind, title }: ListedInlet, heading: Html): Html {
  return html`<div class="reports">${heading}
${renderAddressBlock(apiUrl, path, html`<a href="${guidePathOf(`auth-${kind}`, 'inlets')}">Where to paste it in ${title}</a>`)}</div>`
}

/** The last ones; in the words of the API, where it refused. */
function renderPosts({ id, posts }: ListedInlet): Html {
  if (posts.length === 0) return html`<p class="quiet-text">Nothing was posted yet.</p>`
  const table = (rows: typeof posts, caption: string) =>
    renderTable({
      caption,
      rows,
      columns: [
        { name: 'Post', cell: renderOutcome },
        { name: 'When', cell: ({ at }) => timeOf(new Date(at)), isNumber: true },
      ],
    })
  const [first, rest] = [posts.slice(0, postsShown), posts.slice(postsShown)]
  return html`${table(first, `The last posts to ${id}`)}${
    rest.length > 0 &&
    html`<details class="numbers"><summary>${counted(rest.length, 'more post')}</summary>${table(rest, `The posts to ${id} before`)}</details>`
  }`
}

const postsShown = 5

const outcomeWords: Readonly<Record<string, string>> = {
  signature: 'The signature or the secret is wrong.',
  unreadable: 'The body has another form than this system posts.',
}

function renderOutcome({ outcome, message, lacks, fault, count = 1 }: ListedInlet['posts'][number]): Html {
  const times: Part = count > 1 && html` <small>${counted(count, 'time')} in a row</small>`
  const made: Part = message !== undefined && html` <a href="/messages/${message}"><code>${message}</code></a>`
  if (outcome === 'accepted') return html`${toned('delivered', outcome)}${times}${made}`
  const phoneWords = fault === undefined ? outcomeWords[outcome] : `The phone number ${fault}.`
  const words = lacks === undefined ? phoneWords : `${outcomeWords.unreadable} It lacks ${lacks}.`
  return html`${toned('failed', outcome)}${times}${words !== undefined && html`<br><small>${words}</small>`}`
}

async function one(asked: Asked): Promise<View> {
  const inlet = await inletFor(asked)
  const { id, title, mode, secrets = [] } = inlet
  const body = html`<p class="way"><a href="/inlets">Inlets</a></p>
${headOf(
  html`<code>${id}</code>`,
  actButton({
    to: `/inlets/${id}/remove`,
    label: 'Remove',
    confirm: `Remove ${id}, with its secret. What ${title} posts there is refused from then on.`,
    isDangerous: true,
  }),
)}
<p class="lead">${title}, with ${mode === 'live' ? 'the channels of live keys' : 'the sandbox phone of test keys'}.</p>
<section class="panel">${renderAddress(asked, inlet, html`<h2>Where it posts to</h2>`)}</section>
<section class="panel"><h2>${secrets.length > 1 ? 'Its secrets, while one is replaced' : 'Its secret'}</h2>
${
  secrets.length === 0
    ? html`<p class="bad">It was encrypted with a secret that the service no longer has. Remove the inlet, and add it again.</p>`
    : html`${secrets.map((secret) => blockOf(secret, 'The secret'))}<p class="quiet-text">Anyone who has it can send codes at your cost.</p>`
}</section>`
  return { title: `Inlet ${id}`, section, body }
}

/** @throws Refusal */
async function inletFor({ desk, actor, params }: Asked): Promise<ListedInlet> {
  const found = (await desk.inlets.list(actor, actor.accountId)).find(({ id }) => id === params.id)
  if (found) return found
  throw new Refusal(`There is no inlet ${params.id ?? ''}.`)
}

async function remove({ desk, actor, params }: Asked): Promise<Done> {
  const id = params.id ?? ''
  await desk.inletEdits.remove(actor, actor.accountId, id)
  return { to: section, said: `Removed ${id}.` }
}
