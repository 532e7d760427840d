/** The way of a request: where it comes from, the form, who asks, the role, the proof, the page or the act, in that order. */
import type { IncomingMessage } from 'node:http'
import { Forbidden, hasRole } from '../../domain/access/actor.ts'
import { isProved } from '../../domain/people/userSession.ts'
import { createPlaces, type Places } from '../../kit/places.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { problemIn } from '../../store/engine/failure.ts'
import { findSender, toNetwork } from '../address.ts'
import { type Html, html } from '../html.ts'
import { readTargetQuery } from '../target.ts'
import { parseCookies } from './cookie.ts'
import type { Desk } from './desk.ts'
import type { Entrance } from './entrance.ts'
import { type Failure, failurePage } from './failure.ts'
import { emptyForm, type Form, type Forms, type NoForm, requireText, requireUtf8Query } from './form.ts'
import { accountPage, plainPage } from './layout.ts'
import { isOwn } from './origin.ts'
import { renderQuestion } from './parts/act.ts'
import { goTo, type LongReply, type PageReply } from './reply.ts'
import type { Asked, Done, Download, GuardedRoute, Open, OpenRoute, PageRoute, View } from './route.ts'
import type { Said } from './said.ts'
import type { SessionCookies, SignedIn } from './signedIn.ts'

export interface ExchangeParts {
  desk: Desk
  entrance: Entrance
  sessionCookies: SessionCookies
  said: Said
  forms: Forms
  runtime: Pick<Runtime, 'now' | 'elapsedMs' | 'newTraceId' | 'log'>
  publicUrl: string | undefined
  /** What stands before the dashboard's paths in a browser, without a slash at the end. */
  path: string
  /** How many proxies are before the dashboard, whose word on an address is taken. */
  proxies: number
  /** Of the API. */
  apiUrl: () => string
}

/** Pages and acts that are worked on at once; for one account, so many of them. They share the database with the API. */
const [atOnceMax, ofAccountMax] = [12, 4]
/** Milliseconds that a request waits for its place. */
const placeWaitMs = 5000

/** @param route undefined where there is no page */
export type AnswerPage = (
  route: PageRoute | undefined,
  request: IncomingMessage,
  params: Record<string, string>,
) => Promise<PageReply | LongReply>

export function createExchange(given: ExchangeParts): AnswerPage {
  const { runtime } = given
  const parts = { ...given, places: createPlaces(() => atOnceMax, ofAccountMax) }
  return async (route, request, params) => {
    const startedAt = runtime.elapsedMs()
    const traceId = runtime.newTraceId()
    const reply = await answer(parts, route, request, { params, traceId })
    // The path's pattern: what is searched for can be a phone.
    const [ms, page] = [Math.round(runtime.elapsedMs() - startedAt), route?.path ?? 'none']
    const told = { method: request.method, page, status: reply.status, ms, trace_id: traceId }
    if (isRefusal(told)) {
      const address = toNetwork(findSender(request, parts.proxies))
      runtime.log.info({ ...told, address }, 'the dashboard refused this')
    } else runtime.log.debug(told, 'page')
    return reply
  }
}

/** A wrong password or code, an act or a page of a higher role, a form of another site, too many tries: operators see attacks in the log. */
function isRefusal({ method, status }: { method: string | undefined; status: number }): boolean {
  return status === 403 || (method === 'POST' && status >= 400 && status < 500)
}

type Parts = ExchangeParts & { places: Places }
type Named = Pick<Open, 'params' | 'traceId'>

async function answer(
  parts: Parts,
  route: PageRoute | undefined,
  request: IncomingMessage,
  named: Named,
): Promise<PageReply | LongReply> {
  const { headers, method = '' } = request
  const open = toOpen(parts, request, named)
  if (!isOwn(method, headers, new URL(open.ownUrl).origin)) {
    return failurePage({ status: 403, title: 'This did not come from the dashboard' })
  }
  try {
    if (!route || !Object.values(named.params).every((param) => nameForm.test(param))) {
      return failurePage({ status: 404, title: 'There is no such page' }, await findSession(parts, request, open))
    }
    requireUtf8Query(readTargetQuery(request.url ?? ''))
    requireText(open.query)
    // It may take long to come: who asks, and may what, is looked up when it is here.
    return await withForm(parts, route, request, (form) => replyTo(parts, route, request, { ...open, form }))
  } catch (error) {
    return failurePage(toFailure(error, named.traceId, parts.runtime))
  }
}

async function replyTo(
  parts: Parts,
  route: PageRoute,
  request: IncomingMessage,
  open: Open,
): Promise<PageReply | LongReply> {
  if (route.role === 'anyone') return openReply(route, open)
  const came = await findSession(parts, request, open)
  // Its cookie stays: it opens nothing, and by now the browser may have a newer one, of the same name.
  if (!came) return goTo(signInPath(route, request.url))
  const { accountId } = came.actor
  const hasWaited = !(await parts.places.take(0, accountId))
  if (hasWaited && !(await parts.places.take(placeWaitMs, accountId))) {
    return failurePage({ status: 503, title: 'Too many pages of this account are being made' }, came)
  }
  let session: SignedIn | undefined = came
  try {
    // It may have taken seconds: somebody may have been signed out since, or have another role.
    if (hasWaited) session = await findSession(parts, request, open)
    if (!session) return goTo(signInPath(route, request.url))
    return await guardedReply(parts, route, askedOf(parts, open, session), request)
  } catch (error) {
    return failurePage(toFailure(error, open.traceId, parts.runtime), session)
  } finally {
    parts.places.free(accountId)
  }
}

async function findSession(
  { sessionCookies, entrance }: ExchangeParts,
  { method, headers }: IncomingMessage,
  { cookies, address }: Pick<Open, 'cookies' | 'address'>,
): Promise<SignedIn | undefined> {
  const token = sessionCookies.current(cookies)
  // A live part of a page that nobody looks at any more would keep its session alive for days.
  const isSeen = method === 'POST' || headers['x-part'] === undefined
  return token === undefined ? undefined : entrance.sessions.find(token, address, isSeen)
}

/** Ids and slugs: what else stands in a path would lead its forms and redirects elsewhere. */
const nameForm = /^[\w-]{1,128}$/
const noForm: Readonly<Record<NoForm, PageReply>> = {
  foreign: failurePage({ status: 415, title: 'This is no form of the dashboard' }),
  too_large: failurePage({ status: 413, title: 'This form is too large' }),
  busy: failurePage({ status: 503, title: 'Too many forms are coming in' }),
  // Nobody may be left to see it.
  cut_off: failurePage({ status: 400, title: 'This form is incomplete' }),
}

/** Back to where one was going; what a form held is gone by then. */
function signInPath({ method }: PageRoute, url = '/'): string {
  return method === 'GET' && url !== '/' ? `/sign-in?next=${encodeURIComponent(url)}` : '/sign-in'
}

async function withForm(
  { forms }: ExchangeParts,
  { method, role }: PageRoute,
  request: IncomingMessage,
  use: (form: Form) => Promise<PageReply | LongReply>,
): Promise<PageReply | LongReply> {
  if (method !== 'POST') return use(emptyForm)
  const reply = await forms.read(request, role === 'anyone', use)
  return typeof reply === 'string' ? noForm[reply] : reply
}

function toOpen(
  { entrance, sessionCookies, publicUrl, path, proxies }: ExchangeParts,
  request: IncomingMessage,
  named: Named,
): Omit<Open, 'form'> {
  const { headers, url = '' } = request
  const at = url.indexOf('?')
  return {
    ...named,
    query: new URLSearchParams(at === -1 ? '' : url.slice(at)),
    cookies: parseCookies(headers.cookie),
    address: toNetwork(findSender(request, proxies)),
    agent: headers['user-agent'] ?? '',
    entrance,
    sessionCookies,
    ownUrl: publicUrl ?? `http://${headers.host}${path}`,
  }
}

function askedOf({ desk, apiUrl }: ExchangeParts, open: Open, session: SignedIn): Asked {
  return { ...open, session, actor: session.actor, desk, apiUrl: apiUrl() }
}

async function openReply(route: OpenRoute, open: Open): Promise<PageReply> {
  if (route.method === 'GET') return openPage(await route.show(open))
  try {
    return openPage(await route.act(open))
  } catch (error) {
    if (!(error instanceof Refusal) || !route.again) throw error
    return openPage({ status: 400, ...(await route.again(open, error.message, error)) })
  }
}

function openPage(result: View | Done): PageReply {
  if ('to' in result) return goTo(result.to, result.cookies)
  const { status = 200, cookies = [] } = result
  return { status, text: plainPage(result), headers: { 'Set-Cookie': [...cookies] } }
}

async function guardedReply(
  parts: ExchangeParts,
  route: GuardedRoute,
  asked: Asked,
  { url = '/', headers }: IncomingMessage,
): Promise<PageReply | LongReply> {
  const { said, runtime } = parts
  const { session, actor } = asked
  const isPart = headers['x-part'] !== undefined
  if (!hasRole(actor.role, route.role)) {
    return failurePage({ status: 403, title: `This page is for those with the role ${route.role}` }, session)
  }
  const page = (view: View, notice?: Html): PageReply => {
    if (isPart) return { status: 200, text: view.body.text }
    const told = said.take(session.id, asked.cookies)
    const set = [...told.cookies, ...(view.cookies ?? [])]
    const text = accountPage({ ...view, session, saying: notice ? { kind: 'fault', text: notice } : told.saying })
    return { status: view.status ?? 200, text, headers: { 'Set-Cookie': set } }
  }
  if (route.isSensitive && !isProved(session, runtime.now())) {
    // Writing a long form can take longer than a proof counts: what was written is not lost.
    if (route.method === 'POST' && route.again) {
      const refusal = new Refusal('Nothing was done yet.')
      return page({ status: 403, ...(await route.again(asked, refusal.message, refusal)) }, unproved)
    }
    const next = route.method === 'GET' ? url : route.back(asked)
    return goTo(`/proof?next=${encodeURIComponent(next)}`)
  }
  const done = ({ to, said: text, cookies: set = [] }: Done): PageReply =>
    goTo(to, text === undefined ? set : [...set, said.put(session.id, { kind: 'done', text })])
  const finish = (result: View | Done | Download) =>
    'to' in result ? done(result) : 'parts' in result ? saved(result) : page(result)

  if (route.method === 'GET') return finish(await route.show(asked))
  if (asked.form.has('confirm')) return page(renderQuestion(asked, route.back(asked)))
  try {
    return finish(await route.act(asked))
  } catch (error) {
    if (!(error instanceof Refusal) || error instanceof Forbidden) throw error
    if (route.again) return page({ status: 400, ...(await route.again(asked, error.message, error)) })
    return goTo(route.back(asked), [said.put(session.id, { kind: 'fault', text: error.message })])
  }
}

const unproved = html`<span>You have not shown for ten minutes that it is still you. <a href="/proof" target="_blank">Do so in another tab</a>, then send this form again.</span>`

function saved({ fileName, type, parts, end }: Download): LongReply {
  const headers = { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${fileName}"` }
  return { status: 200, parts, end, headers }
}

/** What the page says of an error; what is not of the caller's making goes to the log. */
function toFailure(error: unknown, traceId: string, { log }: Pick<Runtime, 'log'>): Failure {
  if (error instanceof Forbidden) return { status: 403, title: error.message }
  // What is asked for by its id, and is not there.
  if (error instanceof Refusal) return { status: 404, title: error.message }
  const problem = problemIn(error)
  if (!problem) {
    log.error({ err: error, trace_id: traceId }, 'a page failed')
    return { status: 500, title: 'Something went wrong here', traceId }
  }
  const { status, cause, message: title } = problem
  if (status >= 500) log.warn({ err: cause, trace_id: traceId }, 'a page could not be shown')
  return { status, title, traceId }
}
