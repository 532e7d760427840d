/** All pages. A new one is a file beside this, and a line here. */
import type { Route } from '../route.ts'
import { auditRoutes } from './audit.ts'
import { authenticatorRoutes } from './authenticator.ts'
import { channelRoutes } from './channels.ts'
import { companyRoutes } from './company.ts'
import { guideRoutes } from './guide.ts'
import { invitationRoutes } from './invitation.ts'
import { keyRoutes } from './keys.ts'
import { messageRoutes } from './message.ts'
import { messageExportRoutes } from './messageExport.ts'
import { messageListRoutes } from './messages.ts'
import { overviewRoutes } from './overview.ts'
import { peopleRoutes } from './people.ts'
import { personRoutes } from './person.ts'
import { profileRoutes } from './profile.ts'
import { sandboxRoutes } from './sandbox.ts'
import { signInRoutes } from './signIn.ts'
import { templateRoutes } from './templates.ts'
import { webhookRoutes } from './webhooks.ts'

export const routes: readonly Route[] = [
  ...signInRoutes,
  ...companyRoutes,
  ...invitationRoutes,
  ...overviewRoutes,
  ...messageListRoutes,
  ...messageExportRoutes,
  ...messageRoutes,
  ...keyRoutes,
  ...webhookRoutes,
  ...sandboxRoutes,
  ...profileRoutes,
  ...authenticatorRoutes,
  // Before what is a person by its id.
  ...peopleRoutes,
  ...personRoutes,
  ...templateRoutes,
  ...channelRoutes,
  ...auditRoutes,
  ...guideRoutes,
]
