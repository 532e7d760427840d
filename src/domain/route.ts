/** Which channel a message takes. */
import type { ErrorCode } from '../problem.ts'
import type { Mode } from '../store/schema.ts'

/** A channel, or why none takes it: then nothing is made. */
export type Route = { channel: string } | { refused: ErrorCode }

export type FindRoute = (message: { mode: Mode; phone: string; kind: 'verification' | 'notification' }) => Route
