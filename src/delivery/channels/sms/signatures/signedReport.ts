/** What every scheme is opened with, and what it judges. */

/** A report as it came to the providers' door. */
export interface SignedReport {
  method: string
  /** The path and the query of the request, not decoded. */
  target: string
  /** Names in lower case. One that came more than once has all of its values, with commas between. */
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/** Whether a report is the provider's own. Compares in constant time, and answers whatever the report holds. */
export type Verify = (report: SignedReport) => boolean

export interface SchemeParts {
  key: string
  /** Where the world reaches the API, without a slash at the end. A scheme that signs the address takes nothing without it. */
  publicUrl: string | undefined
  now: () => Date
}
