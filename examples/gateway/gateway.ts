/** A gateway for Watchword: takes its posts, has the back end send them, and posts what the back end says became of them. */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import express, { type Request } from 'express'
import { Webhook } from 'standardwebhooks'
import { type Post, receiveReports, send, statusOf } from './aws.ts'
import { required } from './required.ts'

const { GATEWAY_SECRET, REPORT_URL } = required('GATEWAY_SECRET', 'REPORT_URL')
const { PORT = '8090' } = process.env
const [bodyMax, takenMax, receiveMs, reportMs, pauseMs] = ['64kb', 10_000, 10_000, 10_000, 1000]

const webhook = new Webhook(GATEWAY_SECRET)
/** What was taken, by the id of its post: a repeat has the same one. With several processes, this is a table that all share. */
const taken = new Map<string, Promise<string>>()

const app = express()
app.post('/send', express.raw({ type: () => true, limit: bodyMax }), async (request, response) => {
  const post = verified(request)
  if (!post) return response.sendStatus(401)
  try {
    response.json({ provider_message_id: await sendOnce(`${request.get('webhook-id')}`, post) })
  } catch (error) {
    console.error(`${post.id} was not taken: ${(error as Error).name}`)
    response.sendStatus(statusOf(error as Error))
  }
})
const server = app.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`The gateway is at http://127.0.0.1:${PORT}/send`),
)
Object.assign(server, { requestTimeout: receiveMs, maxConnections: 200 })

for (;;) {
  await reportNext().catch(async ({ name, code, cause }) => {
    console.error(`No reports for a moment: ${code ?? cause?.code ?? name}`)
    await setTimeout(pauseMs)
  })
}

/** @returns undefined for what Watchword has not signed, or not in the last five minutes */
function verified({ body, headers }: Request): Post | undefined {
  try {
    return webhook.verify(body, headers as Record<string, string>) as Post
  } catch {
    return undefined
  }
}

function sendOnce(id: string, post: Post): Promise<string> {
  const before = taken.get(id)
  if (before) return before
  const sent = send(post)
  taken.set(id, sent)
  sent.catch(() => taken.delete(id))
  for (const [oldest] of taken) if (taken.size > takenMax) taken.delete(oldest)
  return sent
}

/** What cannot be reported now stays with the back end, and comes again. */
async function reportNext(): Promise<void> {
  const { reports, forget } = await receiveReports()
  if (reports.length > 0) {
    const [id, at, body] = [`rep_${randomUUID()}`, new Date(), JSON.stringify(reports)]
    const headers = {
      'Content-Type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
      'webhook-signature': webhook.sign(id, at, body),
    }
    const signal = AbortSignal.timeout(reportMs)
    const answer = await fetch(REPORT_URL, { method: 'POST', headers, body, signal, redirect: 'error' })
    if (!answer.ok) throw Object.assign(new Error('not taken'), { code: `Watchword answered ${answer.status}` })
  }
  await forget()
}
