/** The body that Ory Kratos posts, by the Jsonnet in `docs/auth/`: evaluated by Debian's `jsonnet`, as Kratos calls it. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultAccount } from '../../src/domain/access/account.ts'
import type { Client } from '../support/client.ts'
import { newPhone, startServer, type TestServer } from '../support/server.ts'

const run = promisify(execFile)
const fileOf = (name: string) => join(import.meta.dirname, `../../docs/auth/${name}.jsonnet`)
const missing = await run('jsonnet', ['--version']).then(
  () => '',
  () => ' (skipped: there is no jsonnet)',
)

/** What `courier/http_channel.go` binds to `ctx`, with the members of a model of `courier/template/sms/`. */
const ctx = (recipient: string, type: string, data: object) => ({
  recipient,
  subject: '',
  body: 'Your code is …',
  template_type: type,
  template_data: { to: recipient, identity: { id: 'f3b0…' }, request_url: '', transient_payload: null, ...data },
  message_type: 'sms',
})

const evaluate = async (given: object, file = fileOf('kratos')) =>
  JSON.parse((await run('jsonnet', ['--tla-code', `ctx=${JSON.stringify(given)}`, file])).stdout) as object

describe.skipIf(missing)(`what Ory Kratos posts for each code${missing}`, () => {
  let server: TestServer
  let kratos: Client
  beforeAll(async () => {
    server = await startServer()
    kratos = server.as(await server.key({ mode: 'live', scopes: ['verify:write', 'verify:custom_code'] }))
  })
  afterAll(() => server?.close())

  it.each([
    ['login_code_valid', { login_code: '048213', expires_in_minutes: 60 }],
    ['registration_code_valid', { registration_code: '048213', expires_in_minutes: 60 }],
    ['verification_code_valid', { verification_code: '048213', expires_in_minutes: 60 }],
    ['recovery_code_valid', { recovery_code: '048213', expires_in_minutes: 60 }],
  ])('has its own digits sent to the phone, in the flow of %s', async (type, data) => {
    const phone = newPhone()
    const { status } = await kratos.post('/v1/verify/send', await evaluate(ctx(phone, type, data)))
    expect(status).toBe(200)
    await server.work()
    expect((await server.phone(phone)).map(({ text }) => text)).toEqual(['Your Acme code is 048213'])
  })

  it('goes through an inlet too, where two codes within a minute are both sent, each once', async () => {
    const secret = 'the-secret-of-this-inlet'
    const account = (await server.app.accounts.require(defaultAccount)).id
    const inlet = { id: 'kratos', kind: 'plain', mode: 'live', secret, brand_name: 'Acme' }
    await server.app.inlets.apply(account, [inlet])
    const phone = newPhone()
    for (const login_code of ['048213', '048213', '048214']) {
      const body = JSON.stringify(await evaluate(ctx(phone, 'login_code_valid', { login_code })))
      const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' }
      const answer = await fetch(`${server.url}/inlets/${account}/kratos`, { method: 'POST', headers, body })
      expect(answer.status).toBe(200)
      await server.work()
    }
    const texts = (await server.phone(phone)).map(({ text }) => text)
    expect(texts.toSorted()).toEqual(['Your Acme code is 048213', 'Your Acme code is 048214'])
  })

  it('is confirmed by what its hook posts after a sign-in', async () => {
    const phone = newPhone()
    const sent = await evaluate(ctx(phone, 'login_code_valid', { login_code: '048213' }))
    const { data } = await kratos.post<{ request_id: string }>('/v1/verify/send', sent)
    const given = { flow: {}, request_headers: {}, identity: { id: 'f3b0…', traits: { phone } } }
    const confirmed = await kratos.post('/v1/verify/confirm', await evaluate(given, fileOf('kratos-confirm')))
    expect(confirmed.data).toMatchObject({ request_id: data.request_id, confirmed: true })
  })

  it('is nothing for a message without a code, by the word that Kratos knows', async () => {
    const given = ctx(newPhone(), 'login_code_invalid', { login_code: '' })
    await expect(evaluate(given)).rejects.toMatchObject({ stderr: expect.stringMatching(/^RUNTIME ERROR: cancel$/m) })
  })
})
