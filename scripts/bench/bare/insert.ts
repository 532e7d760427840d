/** Express and postgres.js: each request is one INSERT of one row. */
import { randomBytes, randomUUID } from 'node:crypto'
import express from 'express'
import postgres from 'postgres'
import { listen } from './listen.ts'

const sql = postgres(process.env.DATABASE_URL!, { max: 20 })
const app = express()
app.post('/messages', express.json(), async (request, response) => {
  const { phone } = request.body
  const now = new Date()
  const row = {
    account_id: 'acct_default',
    id: `req_${randomUUID()}`,
    mode: 'live',
    kind: 'verification',
    phone,
    channel: 'sandbox',
    status: 'sent',
    status_at: now,
    content: randomBytes(80),
    timeline: sql.json([{ status: 'sent', at: now.toISOString() }]),
    created_at: now,
    expires_at: new Date(now.getTime() + 600_000),
  }
  await sql`insert into message ${sql(row)}`
  response.json({ success: true, data: { request_id: row.id, status: 'sent', expires_in: 600 } })
})
listen(app)
