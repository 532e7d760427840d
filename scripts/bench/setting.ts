/** What every measure works with. */
import type { Bare } from './bare.ts'
import type { Databases } from './database.ts'
import type { Load } from './load.ts'
import type { Provider } from './provider.ts'
import type { Service } from './service.ts'

export interface Setting {
  databases: Databases
  bare: Bare
  /** Ours first. */
  services: Service[]
  load: Load
  /** What messages go through; the sandbox when undefined. */
  provider: Provider | undefined
  /** For whatever files are needed. */
  folder: string
  seconds: number
  callers: number
  rounds: number
  rows: number
  mode: 'live' | 'test'
}
