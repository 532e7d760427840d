/** Stands in the package in place of `src/kit/ownCommand.ts`. */
import type { ownCommand as inCheckout } from '../../src/kit/ownCommand.ts'

export const ownCommand: typeof inCheckout = {
  process: 'watchword',
  serve: 'watchword serve',
  name: 'watchword',
  cli: 'watchword',
  simulate: 'watchword simulate',
}
