/** Serves the page, and better-auth behind it. */
import { join } from 'node:path'
import { toNodeHandler } from 'better-auth/node'
import express from 'express'
import { auth } from './auth.ts'

const { PORT = '8082' } = process.env

const app = express()
app.all('/api/auth/*rest', toNodeHandler(auth))
app.use(express.static(join(import.meta.dirname, 'page')))
app.listen(Number(PORT), '127.0.0.1', () => console.log(`Sign in at http://127.0.0.1:${PORT}`))
