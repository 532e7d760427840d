/** better-auth, with the codes of Watchword. */
import { DatabaseSync } from 'node:sqlite'
import { betterAuth } from 'better-auth'
import { createAuthMiddleware } from 'better-auth/api'
import { getMigrations } from 'better-auth/db/migration'
import { phoneNumber } from 'better-auth/plugins'
import { isRight, sendCode } from './codes.ts'
import { codeIn, phoneIn } from './typed.ts'

const { PORT = '8082', DATABASE = ':memory:' } = process.env
const sending = '/phone-number/send-otp'

export const auth = betterAuth({
  baseURL: `http://127.0.0.1:${PORT}`,
  database: new DatabaseSync(DATABASE),
  // As on platforms that answer first and work later: then what sendOTP throws is logged, and the page hears of success.
  advanced: { backgroundTasks: { handler: (task) => void task } },
  // better-auth counts requests of an address, in production only unless it is told so.
  rateLimit: { enabled: true },
  hooks: {
    before: createAuthMiddleware(async ({ path, body }) => {
      if (typeof body?.phoneNumber !== 'string') return
      // A phone has one form before better-auth looks for its user: two spellings would be two users.
      const phoneNumber = phoneIn(body.phoneNumber)
      // So the code is sent here, before the answer: what this throws reaches the page.
      if (path === sending) await sendCode(phoneNumber)
      return { context: { body: { ...body, phoneNumber, ...('code' in body && { code: codeIn(body.code) }) } } }
    }),
  },
  plugins: [
    phoneNumber({
      // The code that better-auth has made is never used. With verifyOTP, it asks Watchword and not its own table.
      sendOTP: ({ phoneNumber }, context) => (context?.path === sending ? undefined : sendCode(phoneNumber)),
      verifyOTP: ({ phoneNumber, code }) => isRight(phoneNumber, code),
      // A phone of which nothing was known is a new user. better-auth wants an address for each; nothing is sent to it.
      signUpOnVerification: { getTempEmail: (phone) => `${phone.slice(1)}@phone.invalid` },
    }),
  ],
})

await (await getMigrations(auth.options)).runMigrations()
