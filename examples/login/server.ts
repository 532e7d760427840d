/** The server of a page on which people sign in with their phone. */
import { join } from 'node:path'
import express, { type ErrorRequestHandler } from 'express'
import { rateLimit } from 'express-rate-limit'
import session from 'express-session'
import { checkCode, sendCode } from './codes.ts'
import { deliveryOf, receiveEvents } from './events.ts'

declare module 'express-session' {
  interface SessionData {
    /** What was sent, until its code was right. Who types a code cannot choose another phone for it. */
    asked: { requestId: string; phone: string }
    /** Of somebody who is signed in. */
    phone: string
  }
}

const { PORT = '8080', SESSION_SECRET } = process.env
if (!SESSION_SECRET) throw new Error('Set SESSION_SECRET to a long random text.')

const app = express()
// Before express.json: a signature is over the bytes as they came.
app.post('/watchword', express.raw({ type: 'application/json' }), receiveEvents)
app.use(express.json())
// Another site can neither send this cookie with a POST nor read the answers. Behind TLS, add "secure: true".
const cookie = { sameSite: 'lax' as const, maxAge: 24 * 60 * 60_000 }
app.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false, cookie }))

// Watchword limits each phone. How many phones one visitor may try is for this server to say.
const told = 'Too many codes were asked for. Try again in ten minutes.'
app.post('/code', rateLimit({ windowMs: 10 * 60_000, limit: 20, message: { told } }), async (request, response) => {
  const sent = await sendCode(request.body?.phone)
  if ('told' in sent) return void response.status(400).json(sent)
  request.session.asked = sent
  response.json({})
})

app.post('/session', async (request, response) => {
  const { asked } = request.session
  if (!asked) return void response.status(400).json({ told: 'Ask for a code first.' })
  const told = await checkCode(asked.requestId, request.body?.code)
  if (told) return void response.status(400).json({ told })
  // A new id: whoever knew the one before is not signed in.
  await new Promise<void>((done, fail) => request.session.regenerate((error) => (error ? fail(error) : done())))
  request.session.phone = asked.phone
  response.json({ phone: asked.phone })
})

app.get('/session', (request, response) => {
  const { asked, phone } = request.session
  response.json({ phone, delivery: asked && deliveryOf(asked.requestId) })
})

app.delete('/session', (request, response) => {
  request.session.destroy(() => response.sendStatus(204))
})

app.use(express.static(join(import.meta.dirname, 'page')))

const sorry: ErrorRequestHandler = (error, _request, response, _next) => {
  console.error(error.message)
  response.status(error.status ?? 500).json({ told: 'Something went wrong on our side. Please try again.' })
}
app.use(sorry)

app.listen(Number(PORT), '127.0.0.1', () => console.log(`Sign in at http://127.0.0.1:${PORT}`))
