/** Express and postgres.js: each request is one SELECT of one row by its primary key. */
import express from 'express'
import postgres from 'postgres'
import { listen } from './listen.ts'

const sql = postgres(process.env.DATABASE_URL!, { max: 20 })
const app = express()
app.get('/messages/:id', async (request, response) => {
  const [row] = await sql`
    select id, status, status_at from message where account_id = 'acct_default' and id = ${request.params.id}`
  if (row) response.json({ success: true, data: { id: row.id, status: row.status, timestamp: row.status_at } })
  else response.status(404).json({ success: false, data: { code: 'message_not_found' } })
})
listen(app)
