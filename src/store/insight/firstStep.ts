/** What somebody who has just come has done already. */
import { type Reader, read } from '../engine/session.ts'

/** In the order in which they are done. */
export interface FirstSteps {
  /** One besides those that the first start makes: nobody was shown these. */
  key: boolean
  /** Messages of test keys were made; as late as figures are. */
  code: boolean
  /** A text came to a sandbox phone. */
  arrival: boolean
  /** One more than every account is given. */
  template: boolean
  /** A connection to a provider. */
  channel: boolean
  webhook: boolean
}

const any = (rows: string) => `exists (select 1 from ${rows})`
const counted = (mode: string) =>
  any(`figure where account_id = $1 and mode = '${mode}' and grain = 'day' and at > '-infinity' and created > 0`)

const done = read<FirstSteps & { live: boolean }>(`
  select ${any("api_key where account_id = $1 and id > '' and revoked_at is null and name not in ('first test key', 'first live key')")} as key, ${counted('test')} as code,
    ${any("sandbox_message where account_id = $1 and id > ''")} as arrival,
    ${any("template where account_id = $1 and slug > '' and slug <> 'welcome'")} as template,
    ${any("connection where account_id = $1 and kind <> 'sandbox'")} as channel,
    ${any("endpoint where account_id = $1 and id > ''")} as webhook, ${counted('live')} as live`)

/** With whether messages of live keys were made. */
export async function findFirstSteps(reader: Reader, accountId: string): Promise<FirstSteps & { live: boolean }> {
  const [row] = await reader.run(done, [accountId])
  return row!
}
