/** All pages. A new one is a file beside this, and a line here. */
import type { Route } from '../route.ts'
import { channelRoutes } from './channels.ts'
import { keyRoutes } from './keys.ts'
import { messageRoutes } from './message.ts'
import { messageListRoutes } from './messages.ts'
import { sandboxRoutes } from './sandbox.ts'
import { templateRoutes } from './templates.ts'

export const routes: readonly Route[] = [
  ...keyRoutes,
  ...messageListRoutes,
  ...messageRoutes,
  ...sandboxRoutes,
  ...templateRoutes,
  ...channelRoutes,
]
