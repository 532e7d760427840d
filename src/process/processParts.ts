/** What any process that serves is given, alone or among others. */
import type { Ports } from '../app/app.ts'
import type { Log } from '../kit/runtime.ts'
import type { Config } from '../settings/config.ts'
import type { LogOutput } from './logOutput.ts'

export interface ProcessParts {
  config: Config
  roles: { api: boolean; worker: boolean }
  output: LogOutput
  /** Told of the log as soon as there is one. */
  onLog: (log: Log) => void
  onReady: (log: Log, ports: Ports) => void
}
