/** What the pages are made of: a path, who may come, and what is shown or done there. */
import type { Role, UserActor } from '../../domain/access/actor.ts'
import type { Refusal } from '../../kit/refusal.ts'
import type { Html } from '../html.ts'
import type { Desk } from './desk.ts'
import type { Entrance } from './entrance.ts'
import type { Form } from './form.ts'
import type { SessionCookies, SignedIn } from './signedIn.ts'

/** A request by anybody. */
export interface Open {
  /** Of the route's path, decoded. */
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** Empty for what is only shown. */
  form: Form
  cookies: ReadonlyMap<string, string>
  /** Where the request comes from. */
  address: string
  /** The browser, as it names itself. */
  agent: string
  traceId: string
  entrance: Entrance
  sessionCookies: SessionCookies
  /** Where people reach the dashboard, without a slash at the end. */
  ownUrl: string
}

/** A request by somebody who is signed in. */
export interface Asked extends Open {
  actor: UserActor
  session: SignedIn
  desk: Desk
  /** Where the account's programs reach the API, without a slash at the end. */
  apiUrl: string
}

/** A page. */
export interface View {
  title: string
  /** Which entry of the menu it belongs to, by its path; default: none. */
  section?: string
  body: Html
  /** 200 when left out. */
  status?: number
  cookies?: readonly string[]
}

/** Something was done: the browser goes on to another page, which says what. */
export interface Done {
  /** A path of the dashboard. */
  to: string
  /** One sentence. */
  said?: string
  cookies?: readonly string[]
}

/** A file that the browser saves. */
export interface Download {
  /** With its ending. */
  fileName: string
  /** As Content-Type has it. */
  type: string
  /** Its text, each part made when the one before was taken. */
  parts: AsyncIterable<string>
  /** Called when it was sent, and when it could not be. */
  end: () => void
}

interface Shows<Who> {
  method: 'GET'
  path: string
  show: (asked: Who) => View | Done | Promise<View | Done>
}

/** @template More what else may come of it */
interface Does<Who, More = never> {
  method: 'POST'
  path: string
  act: (asked: Who) => View | Done | Promise<View | Done | More>
  /** The page that the form stands on: who is refused goes back there and is told why. */
  back: (asked: Who) => string
  /** That page at once, with what was entered, in place of going there. */
  again?: (asked: Who, fault: string, refusal: Refusal) => View | Promise<View>
}

interface Guarded {
  /** What the account's people need to come here. The domain asks again. */
  role: Role
  /** A secret is shown or much is lost: who has not proved himself in the last ten minutes does so first. */
  isSensitive?: boolean
}

export type OpenRoute = (Shows<Open> | Does<Open>) & { role: 'anyone' }
export type GuardedRoute = (Shows<Asked> | Does<Asked, Download>) & Guarded
export type PageRoute = OpenRoute | GuardedRoute
