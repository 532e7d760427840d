/** Stands in the package in place of `src/ownCommand.ts`. */
import type { ownCommand as inCheckout } from '../../src/ownCommand.ts'

export const ownCommand: typeof inCheckout = {
  process: 'watchword',
  serve: 'watchword serve',
  name: 'watchword',
  cli: 'watchword',
  simulate: 'watchword simulate',
}
