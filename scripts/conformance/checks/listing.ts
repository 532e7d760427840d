/** What is listed, and how the pages follow one another. */
import type { Suite } from '../check.ts'
import type { Deployment } from '../deployment.ts'
import { Broken, demand, demandSame } from '../finding.ts'
import type { Request } from '../request.ts'

const messagesCount = 5
const pageLimit = 2
/** More than any list here has: a next page that never ends would be asked for for ever. */
const pagesMax = 20

export const listing: Suite = {
  name: 'lists',
  checks: [
    {
      title: 'the pages have every message of a phone once, the newest first',
      run: async (deployment) => {
        const phone = deployment.newPhone()
        const ids = await sendTimes(deployment, phone, messagesCount)
        demandSame(
          await findPlaces(deployment, { phone }, ids),
          placesFromNewest(messagesCount),
          'the messages, by age',
        )
      },
    },
    {
      title: 'what is sent while pages are turned moves none of the others',
      run: async (deployment) => {
        const phone = deployment.newPhone()
        const ids = await sendTimes(deployment, phone, messagesCount)
        const meanwhile = () => deployment.send(phone)
        const places = await findPlaces(deployment, { phone }, ids, meanwhile)
        demandSame(places, placesFromNewest(messagesCount), 'the messages, by age')
      },
    },
    {
      title: 'a list is narrowed by kind',
      run: async (deployment) => {
        const phone = deployment.newPhone()
        const [id] = await sendTimes(deployment, phone, 1)
        const body = { phone, ...(await deployment.welcome()) }
        const { data } = await deployment.ask('sendNotification', { key: deployment.key, body })
        const found = [id, String(data.request_id)]
        for (const [place, kind] of ['verification', 'notification'].entries())
          demandSame(await findPlaces(deployment, { phone, kind }, found), [place], `the messages of the kind ${kind}`)
      },
    },
    {
      title: 'a parameter that comes twice is refused',
      run: async (deployment) => {
        const query: Request['query'] = [
          ['limit', '1'],
          ['limit', '2'],
        ]
        const { status, data } = await deployment.ask('listMessages', { key: deployment.key, query })
        demandSame([status, data.code], [400, 'invalid_request'], 'status and code')
      },
    },
  ],
}

async function sendTimes(deployment: Deployment, phone: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let sent = 0; sent < count; sent++) {
    ids.push(await deployment.send(phone))
    // Ids tell the time in milliseconds: two of the same one have no order.
    await deployment.wait(0.01)
  }
  return ids
}

const placesFromNewest = (count: number) => Array.from({ length: count }, (_, index) => count - 1 - index)

/**
 * Asks for page after page.
 *
 * @param meanwhile happens after the first page
 * @returns the places that the listed messages have in `ids`, -1 for another message
 */
async function findPlaces(
  deployment: Deployment,
  search: Record<string, string>,
  ids: readonly (string | undefined)[],
  meanwhile?: () => Promise<unknown>,
): Promise<number[]> {
  const places: number[] = []
  let after: string | null = null
  for (let page = 1; page <= pagesMax; page++) {
    const query: Record<string, string> = { ...search, limit: String(pageLimit), ...(after !== null && { after }) }
    const { status, data } = await deployment.ask('listMessages', { key: deployment.key, query })
    demand(status === 200, `a page was answered ${status} ${data.code ?? ''}`.trim())
    const { messages, next } = data as { messages: { id: string }[]; next: string | null }
    demand(messages.length <= pageLimit, `a page of ${pageLimit} has ${messages.length} messages`)
    places.push(...messages.map(({ id }) => ids.indexOf(id)))
    if (next === null) return places
    after = next
    if (page === 1) await meanwhile?.()
  }
  throw new Broken(`there are more than ${pagesMax} pages of ${messagesCount} messages`)
}
