/** What becomes of a message, by the numbers that behave on purpose. */
import type { Check, Suite } from '../check.ts'
import type { Deployment, Sight } from '../deployment.ts'
import { demand, demandSame, NotTried } from '../finding.ts'
import { numberThatIs, testNumbers } from '../testNumbers.ts'

/** Looks at a message that has come to its last status. */
const laterLooks = 3
/** The five that are promised, for clocks that are set meanwhile. */
const slowSeconds = 4

/** By what the contract says of the numbers. */
const courses: Record<string, (deployment: Deployment, outcome: string) => Promise<void>> = {
  delivered: (deployment, outcome) => follow(deployment, outcome, ['delivered']),
  'delivered, then read': (deployment, outcome) => follow(deployment, outcome, ['delivered', 'read']),
  'failed with `not_on_channel`': async (deployment, outcome) => {
    const id = await deployment.send(numberThatIs(outcome))
    await followed(deployment, id, ['sent', 'failed'])
    const { error } = (await deployment.read(id)).data as { error?: { code?: string } }
    demandSame(error?.code, 'not_on_channel', 'why it failed')
  },
  'stays `sent`, then `expired`': async (deployment, outcome) => {
    const id = await deployment.send(numberThatIs(outcome))
    await stays(deployment, id, 'sent')
    await stays(deployment, await deployment.expired(), 'expired')
  },
  'delivered after 5 seconds': async (deployment, outcome) => {
    const id = await deployment.send(numberThatIs(outcome))
    const [first, last] = ends(await followed(deployment, id, ['sent', 'delivered']))
    const seconds = (Date.parse(last.timestamp) - Date.parse(first.timestamp)) / 1000
    demand(first.status === 'sent' && seconds >= slowSeconds, `it was delivered after ${seconds} seconds`)
  },
  'two temporary errors, then delivered': (deployment, outcome) => follow(deployment, outcome, ['delivered']),
  '429 `resend_cooldown` at send': async (deployment, outcome) => {
    const { key } = deployment
    const answer = await deployment.ask('sendVerification', { key, body: { phone: numberThatIs(outcome) } })
    demandSame([answer.status, answer.data.code], [429, 'resend_cooldown'], 'status and code')
  },
}

export const statuses: Suite = {
  name: 'statuses',
  checks: [
    ...testNumbers.map(
      ({ outcome, first }): Check => ({
        title: `${first} and its like: ${outcome.replaceAll('`', '')}`,
        run: async (deployment) => {
          const course = courses[outcome]
          if (!course) throw new NotTried('this outcome is new in the contract, and nothing looks at it yet')
          await course(deployment, outcome)
        },
      }),
    ),
    {
      title: 'a notification waits, is sent, delivered and read, in this order',
      run: async (deployment) => {
        const body = { phone: numberThatIs('delivered, then read'), ...(await deployment.welcome()) }
        const { data } = await deployment.ask('sendNotification', { key: deployment.key, body })
        await followed(deployment, String(data.request_id), ['queued', 'sent', 'delivered', 'read'])
      },
    },
  ],
}

async function follow(deployment: Deployment, outcome: string, path: string[]): Promise<void> {
  await followed(deployment, await deployment.send(numberThatIs(outcome)), ['sent', ...path])
}

/** @param path every status that it may have, in their order; it comes to the last, and stays there */
async function followed(deployment: Deployment, id: string, path: string[]): Promise<Sight[]> {
  const end = path.at(-1) as string
  const sights = await deployment.reached(id, end)
  let [place, since] = [0, '']
  for (const { status, timestamp } of sights) {
    const next = path.indexOf(status)
    demand(next >= 0, `it was ${status}, on the way to ${end}`)
    demand(next >= place, `it was ${path[place]}, and then ${status}`)
    if (next === place) demand(since === '' || since === timestamp, `the time of ${status} changed`)
    demand(timestamp >= since, `the time of ${status} is before that of what it was until then`)
    place = next
    since = timestamp
  }
  await stays(deployment, id, end)
  return sights
}

async function stays(deployment: Deployment, id: string, promised: string): Promise<void> {
  for (let look = 1; look <= laterLooks; look++) {
    await deployment.wait(0.5)
    const { data } = await deployment.read(id)
    demand(data.status === promised, `it was ${promised}, and then ${data.status}`)
  }
}

function ends(sights: Sight[]): [Sight, Sight] {
  return [sights[0] as Sight, sights.at(-1) as Sight]
}
