/** Posts a code as the HTTP provider of Zitadel does, and says what Zitadel writes into its log. */
import { createHmac, randomInt } from 'node:crypto'

const { INLET_URL = '', ZITADEL_SIGNING_KEY = '' } = process.env
const [phone = '', code = `${randomInt(100_000_000)}`.padStart(8, '0')] = process.argv.slice(2)

const body = JSON.stringify({
  contextInfo: {
    eventType: 'session.otp.sms.challenged',
    provider: { id: '285181292935381355', description: 'Watchword' },
    recipientPhoneNumber: phone,
  },
  templateData: { text: `${code} is your one-time password for id.acme.com.` },
  args: { code, preferredLoginName: 'minnie', verifiedPhone: phone },
})

const seconds = Math.floor(Date.now() / 1000)
const signature = createHmac('sha256', ZITADEL_SIGNING_KEY).update(`${seconds}.${body}`).digest('hex')
const headers = { 'Content-Type': 'application/json', 'ZITADEL-Signature': `t=${seconds},v1=${signature}` }
const answer = await fetch(INLET_URL, { method: 'POST', headers, body, signal: AbortSignal.timeout(5000) })

// Zitadel reads the status alone.
console.log(answer.ok ? 'webhook called' : `calling url ${INLET_URL} returned ${answer.status} ${answer.statusText}`)
process.exitCode = answer.ok ? 0 : 1
