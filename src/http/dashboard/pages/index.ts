/** All pages. A new one is a file beside this, and a line here. */
import type { PageRoute } from '../route.ts'
import { auditRoutes } from './access/audit.ts'
import { keyRoutes } from './access/keys.ts'
import { channelRoutes } from './channels/channels.ts'
import { sandboxRoutes } from './channels/sandbox.ts'
import { guideRoutes } from './guide.ts'
import { inletPageRoutes } from './inlets/inlets.ts'
import { overviewRoutes } from './insight/overview.ts'
import { authenticatorRoutes } from './people/authenticator.ts'
import { companyRoutes } from './people/company.ts'
import { invitationRoutes } from './people/invitation.ts'
import { peopleRoutes } from './people/people.ts'
import { personRoutes } from './people/person.ts'
import { profileRoutes } from './people/profile.ts'
import { signInRoutes } from './people/signIn.ts'
import { protectionRoutes } from './protection/protection.ts'
import { messageRoutes } from './sending/message.ts'
import { messageExportRoutes } from './sending/messageExport.ts'
import { messageListRoutes } from './sending/messages.ts'
import { optOutRoutes } from './sending/optOuts.ts'
import { templateRoutes } from './templates/templates.ts'
import { wordingRoutes } from './templates/wording.ts'
import { endpointListRoutes } from './webhooks/webhooks.ts'

export const routes: readonly PageRoute[] = [
  ...signInRoutes,
  ...companyRoutes,
  ...invitationRoutes,
  ...overviewRoutes,
  ...messageListRoutes,
  ...messageExportRoutes,
  ...messageRoutes,
  ...keyRoutes,
  ...endpointListRoutes,
  ...inletPageRoutes,
  ...sandboxRoutes,
  ...profileRoutes,
  ...authenticatorRoutes,
  // Before what is a person by its id.
  ...peopleRoutes,
  ...personRoutes,
  ...templateRoutes,
  ...optOutRoutes,
  ...wordingRoutes,
  ...channelRoutes,
  ...protectionRoutes,
  ...auditRoutes,
  ...guideRoutes,
]
