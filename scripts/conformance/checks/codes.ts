/** What a code allows. */

import type { Suite } from '../check.ts'
import type { Deployment } from '../deployment.ts'
import { demand, demandSame } from '../finding.ts'
import type { Answer } from '../judge.ts'

/** By the number of digits, as the contract's description of `checkVerification` has them. */
export const attemptsOf = (length: number) => (length < 6 ? 3 : 5)

export const rightCode = (length = 6) => '0'.repeat(length)
export const wrongCode = (length = 6) => '1'.repeat(length)

export const codes: Suite = {
  name: 'codes',
  checks: [
    ...[6, 4].map((length) => ({
      title: `a code of ${length} digits is refused ${attemptsOf(length)} times, each time with one attempt less, then for good`,
      run: (deployment: Deployment) => useUp(deployment, length),
    })),
    {
      title: 'a right code works once',
      run: async (deployment) => {
        const id = await deployment.send(deployment.newPhone())
        demandSame(describeOutcome(await deployment.check(id, rightCode())), 'verified', 'the right code')
        demandSame(describeOutcome(await deployment.check(id, rightCode())), 'already_verified', 'the same code again')
        demandSame(
          describeOutcome(await deployment.check(id, wrongCode())),
          'already_verified',
          'a wrong code after it',
        )
      },
    },
    {
      title: 'the right code is taken after wrong ones while an attempt is left',
      run: async (deployment) => {
        const id = await deployment.send(deployment.newPhone())
        for (let attempt = 1; attempt < attemptsOf(6); attempt++) await deployment.check(id, wrongCode())
        demandSame(
          describeOutcome(await deployment.check(id, rightCode())),
          'verified',
          'the right code at the last attempt',
        )
      },
    },
    {
      title: 'a new send ends the code before it, and its own code works',
      run: async (deployment) => {
        const phone = deployment.newPhone()
        const [first, second] = [await deployment.send(phone), await deployment.send(phone)]
        demandSame(describeOutcome(await deployment.check(first, rightCode())), 'superseded', 'the first code')
        demandSame(describeOutcome(await deployment.check(second, rightCode())), 'verified', 'the second code')
      },
    },
    {
      title: 'a cancelled verification takes its code no more, and is cancelled once',
      run: async (deployment) => {
        const request_id = await deployment.send(deployment.newPhone())
        const cancel = () => deployment.ask('cancelVerification', { key: deployment.key, body: { request_id } })
        demandSame((await cancel()).data.cancelled, true, '`cancelled`')
        demandSame(describeOutcome(await deployment.check(request_id, rightCode())), 'expired', 'the right code')
        demandSame((await cancel()).data.cancelled, false, '`cancelled` of a second time')
      },
    },
    {
      title: 'a code that was made there is not confirmed, by its id or by its phone, and is checked all the same',
      run: async (deployment) => {
        const phone = deployment.newPhone()
        const request_id = await deployment.send(phone)
        for (const body of [{ request_id }, { phone }]) {
          const answer = await deployment.ask('confirmVerification', { key: deployment.key, body })
          demandSame(describeOutcome(answer), 'verification_not_found', 'a confirmation')
        }
        demandSame(describeOutcome(await deployment.check(request_id, rightCode())), 'verified', 'the right code')
      },
    },
    {
      title: 'a code belongs to its own request: a notification has none',
      run: async (deployment) => {
        const body = { phone: deployment.newPhone(), ...(await deployment.welcome()) }
        const { data } = await deployment.ask('sendNotification', { key: deployment.key, body })
        const answer = await deployment.check(String(data.request_id), rightCode())
        demandSame([answer.status, answer.data.code], [404, 'verification_not_found'], 'status and code')
      },
    },
  ],
}

async function useUp(deployment: Deployment, length: number): Promise<void> {
  const id = await deployment.send(deployment.newPhone(), { length })
  for (let left = attemptsOf(length) - 1; left >= 0; left--) {
    const { data } = await deployment.check(id, wrongCode(length))
    const reason = left > 0 ? 'incorrect_code' : 'attempts_exhausted'
    demandSame([data.verified, data.reason, data.attempts_remaining], [false, reason, left], 'a wrong code')
  }
  const { data } = await deployment.check(id, rightCode(length))
  demandSame([data.verified, data.reason], [false, 'attempts_exhausted'], 'the right code after the last attempt')
}

/** `verified`, or the reason why not; the code of an error. */
export function describeOutcome({ status, data }: Answer): string {
  if (status !== 200) return String(data.code ?? status)
  demand(typeof data.verified === 'boolean', 'a check is answered without `verified`')
  return data.verified ? 'verified' : String(data.reason)
}
