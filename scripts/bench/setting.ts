/** What every measure works with. */
import type { Bare } from './bare.ts'
import type { Databases } from './database.ts'
import type { Load } from './load.ts'
import type { Service } from './service.ts'

export interface Setting {
  databases: Databases
  bare: Bare
  /** Ours first. */
  services: Service[]
  load: Load
  /** For whatever files are needed. */
  folder: string
  seconds: number
  callers: number
  rounds: number
  rows: number
  mode: 'live' | 'test'
}
