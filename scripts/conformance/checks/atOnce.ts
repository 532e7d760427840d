/** What holds when everything comes at once. */
import type { Suite } from '../check.ts'
import type { Deployment } from '../deployment.ts'
import { demandSame } from '../finding.ts'
import { attemptsOf, describeOutcome, rightCode, wrongCode } from './codes.ts'

/** Enough to meet in the server, and few enough to be no burden to it. */
export const atOnceCount = 20
const sendsCount = 8

export const atOnce: Suite = {
  name: 'at once',
  checks: [
    {
      title: `${atOnceCount} right codes at once verify once`,
      run: async (deployment) => {
        const id = await deployment.send(deployment.newPhone())
        const outcomes = await times(atOnceCount, () => deployment.check(id, rightCode()))
        demandSame(
          tally(outcomes.map(describeOutcome)),
          { already_verified: atOnceCount - 1, verified: 1 },
          'the answers',
        )
      },
    },
    ...[6, 4].map((length) => ({
      title: `${atOnceCount} wrong codes of ${length} digits at once are compared ${attemptsOf(length)} times`,
      run: (deployment: Deployment) => guess(deployment, length),
    })),
    {
      title: 'of cancels and right codes at once, one ends the verification',
      run: async (deployment) => {
        const request_id = await deployment.send(deployment.newPhone())
        const cancel = () => deployment.ask('cancelVerification', { key: deployment.key, body: { request_id } })
        const check = () => deployment.check(request_id, rightCode())
        const answers = await Promise.all([times(sendsCount, cancel), times(sendsCount, check)])
        const ends = answers.flat().filter(({ data }) => data.cancelled === true || data.verified === true)
        demandSame(ends.length, 1, 'how many did')
      },
    },
    {
      title: `of ${sendsCount} sends at once to a number, one code is good afterwards`,
      run: async (deployment) => {
        const phone = deployment.newPhone()
        const ids = await times(sendsCount, () => deployment.send(phone))
        const outcomes: string[] = []
        for (const id of ids) outcomes.push(describeOutcome(await deployment.check(id, rightCode())))
        demandSame(tally(outcomes), { superseded: sendsCount - 1, verified: 1 }, 'the answers')
      },
    },
  ],
}

async function guess(deployment: Deployment, length: number): Promise<void> {
  const id = await deployment.send(deployment.newPhone(), { length })
  const outcomes = await times(atOnceCount, () => deployment.check(id, wrongCode(length)))
  const compared = attemptsOf(length) - 1
  const promised = { attempts_exhausted: atOnceCount - compared, incorrect_code: compared }
  demandSame(tally(outcomes.map(describeOutcome)), promised, 'the answers')
  const left = outcomes.map(({ data }) => Number(data.attempts_remaining)).filter((count) => count > 0)
  const counts = Array.from({ length: compared }, (_, index) => index + 1)
  demandSame(left.toSorted(), counts, 'the attempts that were said to be left')
}

function times<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, work))
}

/** In the order of the alphabet. */
function tally(values: string[]): Record<string, number> {
  const groups = Object.groupBy(values.toSorted(), (value) => value)
  return Object.fromEntries(Object.entries(groups).map(([value, group = []]) => [value, group.length]))
}
