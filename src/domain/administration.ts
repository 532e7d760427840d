/**
 * All that can be administered, each by its noun: of it, every door takes what it has for those who come there. What is done
 * for somebody, has the actor before all else.
 */
import type { Accounts } from './access/account.ts'
import type { ApiKeys } from './access/apiKey.ts'
import type { ListAudit } from './access/audit.ts'
import type { ReceiptKeys } from './access/receiptKey.ts'
import type { Connections } from './channels/connection.ts'
import type { CheckConnections } from './channels/connectionCheck.ts'
import type { ConnectionEdits } from './channels/connectionEdit.ts'
import type { SandboxPhones } from './channels/sandboxPhone.ts'
import type { Inlets } from './inlets/inlet.ts'
import type { InletEdits } from './inlets/inletEdit.ts'
import type { Conversions } from './insight/conversion.ts'
import type { Figures } from './insight/figure.ts'
import type { FindFirstSteps } from './insight/firstStep.ts'
import type { FindRuleHours } from './insight/ruleHours.ts'
import type { Troubles } from './insight/trouble.ts'
import type { Forget } from './keeping/retention.ts'
import type { Invitations } from './people/invitation.ts'
import type { Users } from './people/user.ts'
import type { FindUsedBudgets } from './protection/budget/budgetUse.ts'
import type { Protections } from './protection/protection.ts'
import type { ReplaySource } from './protection/replay/source.ts'
import type { TryRules } from './protection/replay/trial.ts'
import type { FindHistory } from './sending/history.ts'
import type { ExportMessages } from './sending/messageExport.ts'
import type { SearchMessages } from './sending/messageSearch.ts'
import type { Resends } from './sending/notifications/resend.ts'
import type { ManagedOptOuts } from './sending/phones/managedOptOuts.ts'
import type { Wordings } from './sending/wordings/wording.ts'
import type { ListProviderTemplates } from './templates/providerTemplate.ts'
import type { Templates } from './templates/template.ts'
import type { Endpoints } from './webhooks/endpoint.ts'

export interface Administration {
  accounts: Accounts
  apiKeys: ApiKeys
  receiptKeys: ReceiptKeys
  templates: Templates
  wordings: Wordings
  protections: Protections
  ruleHours: FindRuleHours
  usedBudgets: FindUsedBudgets
  connections: Connections
  connectionEdits: ConnectionEdits
  inlets: Inlets
  inletEdits: InletEdits
  endpoints: Endpoints
  users: Users
  invitations: Invitations
  sandboxPhones: SandboxPhones
  figures: Figures
  conversions: Conversions
  troubles: Troubles
  firstSteps: FindFirstSteps
  replays: ReplaySource
  tryRules: TryRules
  listAudit: ListAudit
  searchMessages: SearchMessages
  exportMessages: ExportMessages
  check: CheckConnections
  listProviderTemplates: ListProviderTemplates
  history: FindHistory
  forget: Forget
  optOuts: ManagedOptOuts
  resends: Resends
}
