/** What `docs/channels.md` says of the simulator is so. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { faultTable } from '../../src/simulator/faults.ts'
import { standardOptions } from '../../src/simulator/options.ts'
import { bashBlocksOf, sectionOf } from '../support/docs.ts'
import { code, type Simulated, startSimulated } from '../support/simulated.ts'

const section = sectionOf('docs/channels.md', 'Trying it without an account')

describe('the page of channels', () => {
  it('has the table of faults, as it is', () => {
    const rows = Array.from(section.matchAll(/^\| (\+[\dx ]+|any, when set) \| `(.+?)` \| (.+) \|$/gm))
    const listed = rows.map(([, numbers, name, does]) => [numbers?.replaceAll(/[x ]/g, ''), name, does])
    expect(listed).toEqual(faultTable.map(({ prefix, name, does }) => [prefix ?? 'any,whenset', name, does]))
  })

  it('has connections with the tokens that the simulator has by itself', () => {
    const [whatsapp, telegram] = parse(/^```yaml\n(.*?)\n```$/ms.exec(section)![1]!)
    expect(whatsapp).toMatchObject({
      access_token: standardOptions.whatsappToken,
      app_secret: standardOptions.appSecret,
      verify_token: standardOptions.verifyToken,
      phone_number_id: standardOptions.phoneNumberIds[0],
      business_account_id: standardOptions.businessAccountId,
    })
    expect(telegram).toMatchObject({ access_token: standardOptions.telegramToken, base_url: whatsapp.base_url })
  })
})

describe('what it has to paste', () => {
  let simulated: Simulated
  beforeEach(async () => {
    simulated = await startSimulated()
  })
  afterEach(() => simulated.close())

  const blocks = bashBlocksOf(section).filter((block) => block.includes(':9700'))
  const paste = (words: string) => {
    const command = blocks
      .find((block) => block.includes(words))!
      .replaceAll('127.0.0.1:9700', `127.0.0.1:${simulated.port}`)
    const { stdout } = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] })
    return text(stdout)
  }

  it('shows the code of a phone', async () => {
    await simulated.whatsapp('+14155550200')
    expect(JSON.parse(await paste('/phones/+14155550200')).messages).toMatchObject([{ code }])
  })

  it('adds a template', async () => {
    expect(await paste('PUT')).toBe('{}')
    expect((await simulated.admin('GET', '/templates')).json).toHaveLength(4)
  })

  it('has Meta pause a template', async () => {
    await paste('PUT')
    expect(JSON.parse(await paste('"PAUSED"'))).toEqual([{ answered: 200 }])
    const paused = expect.objectContaining({ name: 'order_shipped', status: 'PAUSED' })
    expect((await simulated.admin('GET', '/templates')).json).toContainEqual(paused)
  })

  it('gives a phone a fault', async () => {
    expect(await paste('"fault"')).toBe('{}')
    expect(simulated.phone('+14155552671').faults).toEqual({ whatsapp: 'failed:131049' })
  })

  it('is all tried here', () => {
    expect(blocks).toHaveLength(4)
  })
})
