/** What looks at a request before a door does. */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** What an Express middleware is to a plain server: it answers, or lets the request go on. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void
