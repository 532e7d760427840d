/** What a person who is signed in can ask of the domain, and do. Each function knows who it is. */
import type { UserActor } from '../../domain/actor.ts'
import type { ApiKeys } from '../../domain/apiKey.ts'
import type { ListAudit } from '../../domain/audit.ts'
import type { Connections } from '../../domain/connection.ts'
import type { Checked, CheckLimits } from '../../domain/connectionCheck.ts'
import type { Endpoints } from '../../domain/endpoint.ts'
import type { Figures } from '../../domain/figure.ts'
import type { FindFirstSteps } from '../../domain/firstStep.ts'
import type { History } from '../../domain/history.ts'
import type { Invitations } from '../../domain/invitation.ts'
import type { ExportMessages } from '../../domain/messageExport.ts'
import type { SearchMessages } from '../../domain/messageSearch.ts'
import type { Forget } from '../../domain/retention.ts'
import type { SandboxPhones } from '../../domain/sandboxPhone.ts'
import type { Templates } from '../../domain/template.ts'
import type { Troubles } from '../../domain/trouble.ts'
import type { Users } from '../../domain/user.ts'

export interface Desk {
  /** By the database's clock. */
  now: () => Date
  apiKeys: ApiKeys
  figures: Figures
  troubles: Troubles
  firstSteps: FindFirstSteps
  /** But for what the service alone needs. */
  endpoints: Omit<Endpoints, 'openSecrets' | 'recordOutcomes' | 'reseal'>
  templates: Templates
  connections: Pick<Connections, 'list'>
  /** Asks the providers of an account's connections whether what is configured is good. */
  check: (accountId: string, limits: CheckLimits) => Promise<Checked[]>
  users: Users
  invitations: Invitations
  listAudit: ListAudit
  searchMessages: SearchMessages
  exportMessages: ExportMessages
  /** @throws Refusal when the account has no such message */
  history: (messageId: string) => Promise<History>
  forget: Forget
  sandboxPhones: SandboxPhones
}

/** @returns the domain for that person: what the role does not allow is refused there, and each act is written down */
export type DeskOf = (actor: UserActor) => Desk
