/** better-auth with its phone plug-in, which makes, keeps and checks codes itself. Nothing is sent, and nothing limits callers. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { phoneNumber } from 'better-auth/plugins'
import { Pool } from 'pg'

const auth = betterAuth({
  baseURL: 'http://127.0.0.1',
  secret: 'a secret of the benchmark that is long enough',
  database: new Pool({ connectionString: process.env.DATABASE_URL, max: 20 }),
  rateLimit: { enabled: false },
  logger: { disabled: true },
  plugins: [
    phoneNumber({
      sendOTP: () => {},
      // Without it, a right code of somebody new is answered with an error.
      signUpOnVerification: { getTempEmail: (phone) => `${phone.slice(1)}@example.com` },
    }),
  ],
})
await (await getMigrations(auth.options)).runMigrations()

const server = createServer(toNodeHandler(auth))
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`${JSON.stringify({ msg: 'ready', port })}\n`)
})
