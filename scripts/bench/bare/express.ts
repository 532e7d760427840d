/** Express alone: what an answer costs before a service has done anything. */
import express from 'express'
import { listen } from './listen.ts'

const app = express()
app.get('/hello', (_request, response) => {
  response.json({ success: true, data: { status: 'sent', timestamp: new Date().toISOString() } })
})
app.use((_request, response) => {
  response.set('WWW-Authenticate', 'Bearer')
  response.status(401).json({ success: false, data: { code: 'missing_api_key', message: 'Send an API key.' } })
})
listen(app)
