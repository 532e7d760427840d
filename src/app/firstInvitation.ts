/** How the first owner comes to the dashboard: by a link in a file, or with FIRST_OWNER by one in the log. */
import { type Accounts, defaultAccount } from '../domain/access/account.ts'
import { theService } from '../domain/access/actor.ts'
import type { FirstInvitations } from '../domain/people/firstInvitation.ts'
import { linkOf } from '../domain/people/invitation.ts'
import type { Config } from '../settings/config.ts'
import { keepInvitation } from './dataFolder.ts'
import { dashboardUrlOf, type FirstInvitation } from './greeting.ts'

interface FirstInvitationAdmin {
  accounts: Accounts
  firstInvitations: FirstInvitations
}

/**
 * Invites the first owner of the default account: the user whom FIRST_OWNER names; or else any user with the link in `dashboard-invite`, which a
 * database that others share has only where it is asked for (`DEV_KEYS`).
 *
 * @param port where the dashboard listens
 * @returns undefined when there is nothing to say
 */
export async function inviteFirst(
  config: Config,
  { accounts, firstInvitations }: FirstInvitationAdmin,
  port: number,
): Promise<FirstInvitation | undefined> {
  const { dataDir, database, devKeys, firstOwner = null, dashboardUrl, dashboardHost } = config
  const hasFile = database.kind === 'embedded' || devKeys
  if (!hasFile && firstOwner === null) return undefined
  const { id: accountId } = await accounts.require(theService, defaultAccount)
  const invited = await firstInvitations.ensure(accountId, firstOwner)
  const isInvited = typeof invited === 'object'
  const link = isInvited ? linkOf(dashboardUrlOf(config, port), invited.token) : ''
  const isForFile = isInvited && firstOwner === null
  // Also one that stays open: the address may be another than last time.
  const file = hasFile ? await keepInvitation(dataDir, isForFile ? link : undefined) : undefined
  if (file !== undefined) return { file }
  if (!isInvited) return firstOwner === null ? undefined : invited
  const isAddressKnown = dashboardUrl !== undefined || !['0.0.0.0', '::'].includes(dashboardHost)
  return { link, until: invited.expiresAt, isAddressKnown }
}
