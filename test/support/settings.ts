/** What is told of settings that are refused, and which settings the page of operators lists. */
import { expect } from 'vitest'
import { ConfigError, loadConfig } from '../../src/settings/config.ts'
import { sectionOf } from './docs.ts'

/** @returns nothing where all are taken */
export function settingFaults(environment: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig(environment, { role: 'serve' })
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).faults
  }
  return []
}

export const documentedSettings = Array.from(
  sectionOf('docs/operators.md', 'Settings').matchAll(/^\| `([A-Z_]+)` \|/gm),
  ([, name]) => name!,
)
