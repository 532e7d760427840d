import type { Deployment } from './deployment.ts'

/** A promise, and how it is looked at. */
export interface Check {
  title: string
  /** @throws Broken when the promise is not held, NotTried when that cannot be told */
  run: (deployment: Deployment) => Promise<void>
}

/** Checks of one matter, in the order in which they run. */
export interface Suite {
  name: string
  checks: readonly Check[]
}
