/** What a person who is signed in can ask of the domain, and do. Each function knows who it is. */
import type { UserActor } from '../../domain/access/actor.ts'
import type { ApiKeys } from '../../domain/access/apiKey.ts'
import type { ListAudit } from '../../domain/access/audit.ts'
import type { Connections } from '../../domain/channels/connection.ts'
import type { Checked, CheckLimits } from '../../domain/channels/connectionCheck.ts'
import type { SandboxPhones } from '../../domain/channels/sandboxPhone.ts'
import type { Figures } from '../../domain/insight/figure.ts'
import type { FindFirstSteps } from '../../domain/insight/firstStep.ts'
import type { Troubles } from '../../domain/insight/trouble.ts'
import type { Forget } from '../../domain/keeping/retention.ts'
import type { Invitations } from '../../domain/people/invitation.ts'
import type { Users } from '../../domain/people/user.ts'
import type { History } from '../../domain/sending/history.ts'
import type { ExportMessages } from '../../domain/sending/messageExport.ts'
import type { SearchMessages } from '../../domain/sending/messageSearch.ts'
import type { Templates } from '../../domain/templates/template.ts'
import type { Endpoints } from '../../domain/webhooks/endpoint.ts'

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
