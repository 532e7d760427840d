/** Phones that have opted out in the last days, by a reply, a provider, people and a file, and keywords of an account's own. */
import type { Admin } from '../../src/app/admin.ts'
import { theService } from '../../src/domain/access/actor.ts'
import type { Commit } from '../../src/store/engine/commit.ts'
import { write } from '../../src/store/engine/session.ts'

const insert = write(
  `
  insert into opt_out (account_id, mode, phone_hash, recipient, source, category, since)
  select $1, 'live', md5('phone ' || n), 'rcp_' || substr(md5('recipient ' || n), 1, 20), source, category,
    now() - n * n * interval '37 minutes'
  from unnest(array['reply', 'reply', 'provider', 'api', 'reply', 'person', 'import', 'import'],
    array['all', 'marketing', 'all', 'marketing', 'all', 'all', 'marketing', 'marketing'])
    with ordinality as told (source, category, n)`,
  { isRare: true },
)

export async function simulateOptOuts(admin: Admin, commit: Commit, accountId: string): Promise<void> {
  await commit.transaction((tx) => tx.run(insert, [accountId]))
  await admin.optOuts.addKeyword(theService, accountId, { text: 'İPTAL', language: 'tr', meaning: 'stop' })
  await admin.optOuts.addKeyword(theService, accountId, { text: 'BAŞLAT', language: 'tr', meaning: 'start' })
}
