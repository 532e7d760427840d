/** Every error that twilio-verify.yaml documents, as Twilio's own library for node throws it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentedAnswers } from '../../scripts/contract/documented.ts'
import type { ContractDocument } from '../../src/contract/facts.ts'
import { type TwilioOperationId, twilioContract } from '../../src/contract/twilioDocument.ts'
import { openStage, type Request, type Stage } from '../contract/scenarios.ts'
import { namedTwilioScenarios } from '../contract/twilioScenarios.ts'
import { clientOf, type HttpClient, type TwilioClient, type TwilioService, twilio } from './library.ts'

interface DocumentedError {
  code: number
  message: string
  more_info: string
  status: number
}

const errors = documentedAnswers<TwilioOperationId>(twilioContract as ContractDocument)
  .filter(({ status }) => Number(status) >= 400)
  .map((answer) => [(answer.example as DocumentedError).code, answer.name, answer] as const)
const scenarios = namedTwilioScenarios()

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

describe('the library for node throws', () => {
  it.each(errors)('%i for %s', async (_code, name, { operationId, exampleName, example }) => {
    const asked = await scenarios.get(name)!(stage)
    const { ServiceSid = '', Sid = '' } = asked.path as Record<string, string>
    const client = clientFor(asked)
    const given = exampleName === 'invalid_request' ? misspelled : parseFields(asked)
    const thrown = await calls[operationId](client.verify.v2.services(ServiceSid), Sid, given)
      .catch((reason: unknown) => reason)
      .finally(() => asked.undo?.())
    expect(thrown).toBeInstanceOf(twilio.RestException)
    const { code, status, message, more_info } = example as DocumentedError
    expect(thrown).toMatchObject({ code, status, moreInfo: addressOf(more_info) })
    expect((thrown as Error).message).toMatch(exampleName === 'invalid_request' ? /^Invalid parameter: / : message)
  })

  it('20004 where a path does not take the method', async () => {
    const client = clientOf(stage.server.url, `AC${'0'.repeat(32)}`, await stage.server.key())
    const thrown = client.verify.v2.fetch({ uri: '/Services/VA1/VerificationCheck', method: 'get' })
    await expect(thrown).rejects.toMatchObject({ code: 20_004, status: 405 })
  })

  it('by these, every number that the contract has', () => {
    const met = new Set([20_004, ...errors.map(([code]) => code)])
    expect([...met].toSorted()).toEqual(twilioContract.components.schemas.ErrorNumber.enum)
  })
})

const calls: Record<TwilioOperationId, (service: TwilioService, sid: string, given: object) => Promise<unknown>> = {
  fetchService: (service) => service.fetch(),
  createVerification: ({ verifications }, _sid, given) => verifications.create(given),
  fetchVerification: ({ verifications }, sid) => verifications(sid).fetch(),
  updateVerification: ({ verifications }, sid, given) => verifications(sid).update(given),
  createVerificationCheck: ({ verificationChecks }, _sid, given) => verificationChecks.create(given),
}

/** The library lets nobody leave a field out. */
const misspelled = { to: '+14155550100', channel: 'pigeon', status: 'gone', code: 'abc' }

/** As the library calls the fields of a form: `VerificationSid` is `verificationSid`. */
function parseFields({ body = '' }: Request): object {
  const fields = new URLSearchParams(body as string)
  return Object.fromEntries(Array.from(fields, ([name, value]) => [name[0]!.toLowerCase() + name.slice(1), value]))
}

/** The library takes nobody without a key, and knows no Idempotency-Key: what sends its requests sees to both. */
function clientFor({ server = stage.server, headers: { Authorization, ...headers } = {} }: Request): TwilioClient {
  const [user = '', key = ''] = Buffer.from(Authorization?.split(' ')[1] ?? '', 'base64')
    .toString()
    .split(':')
  const sender = new twilio.RequestClient()
  const httpClient: HttpClient = {
    request: (request) =>
      sender.request({
        ...request,
        ...(!key && { username: '', password: '' }),
        headers: { ...request.headers, ...headers },
      }),
  }
  const accountSid = `AC${'0'.repeat(32)}`
  return clientOf(server.url, user || accountSid, key || 'none', { accountSid, httpClient })
}

/** The stage's own, in place of the example's. */
function addressOf(moreInfo: string): string {
  return moreInfo.replace('http://localhost:3000', 'https://otp.acme.com')
}
