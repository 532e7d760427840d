/** The page of the simulator: its HTML, and in a real Chromium, where one is installed. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { html } from '../../src/http/html.ts'
import { faultTable } from '../../src/simulator/faults.ts'
import { browserMs, hasBrowser, openWindow, unlessBrowser, type Window } from '../support/browser.ts'
import { ask, code, type Simulated, startSimulated } from '../support/simulated.ts'

const phone = '+14155550210'
const nasty = `"><img src=x onerror=alert(1)><script>alert('x')</script>&amp;`

let simulated: Simulated
beforeEach(async () => {
  simulated = await startSimulated()
})
afterEach(() => simulated.close())

const notification = (text: string) => ({
  biz_opaque_callback_data: text,
  template: {
    name: 'welcome',
    language: { code: 'en_US' },
    components: [{ type: 'body', parameters: [{ type: 'text', text }] }],
  },
})

describe('the page', () => {
  it('shows each phone with what it got, by whom, and what became of it', async () => {
    await simulated.whatsapp(phone)
    await simulated.sendByTelegram(phone)
    await simulated.settled()
    const { text } = await ask(simulated.url, 'GET')
    for (const words of ['+1 415 555 0210', 'WhatsApp', 'Telegram', `>${code}</p>`, 'delivered', 'read', 'leg 2']) {
      expect(text).toContain(words)
    }
    for (const status of ['delivered', 'read', 'failed']) expect(text.split(`data-report="${status}"`)).toHaveLength(3)
  })

  it('shows what was not taken, and what went wrong', async () => {
    simulated.receiver.behave({ status: 500 })
    await simulated.whatsapp('+14155550270')
    await simulated.whatsapp(phone)
    await simulated.settled()
    const { text } = await ask(simulated.url, 'GET')
    expect(text).toContain('Not taken: 131000')
    expect(text).toContain('/wa answered 500 to a report')
  })

  it('lists every fault with its numbers', async () => {
    const { text } = await ask(simulated.url, 'GET')
    for (const { name } of faultTable) expect(text).toContain(`<code>${name}</code>`)
    expect(text).toContain('+1 415 555 0310 to 0319')
  })

  it('shows as text whatever it was sent', async () => {
    await simulated.whatsapp(phone, notification(nasty))
    await simulated.sendByTelegram(phone, { payload: nasty })
    await simulated.whatsapp(phone, { template: { ...notification('').template, name: nasty } })
    for (const path of ['/', '/_simulator/parts']) {
      const { text } = await ask(simulated.url + path, 'GET')
      expect(text).toContain('&#60;img src=x onerror=alert(1)&#62;')
      expect(text).not.toMatch(/<img|<script>/)
    }
    expect(html`<p title="${nasty}">${[html`${'<'}`, html`<b>`]}${1}</p>`.text).toBe(
      '<p title="&#34;&#62;&#60;img src=x onerror=alert(1)&#62;&#60;script&#62;alert(&#39;x&#39;)&#60;/script&#62;&#38;amp;">&#60;<b>1</p>',
    )
  })

  it('loads nothing from elsewhere, and could not', async () => {
    const { text, headers } = await ask(simulated.url, 'GET')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/)
    const links = Array.from(text.matchAll(/(?:src|href)="([^"]*)"/g), ([, link]) => link!)
    expect(links.length).toBeGreaterThan(2)
    for (const link of links) {
      expect(link).toMatch(/^\/_simulator\//)
      expect((await ask(simulated.url + link, 'GET')).status).toBe(200)
    }
    expect(text).not.toMatch(/ (style|on\w+)=/)
  })

  it('stays small, however much there is', async () => {
    for (let index = 0; index < 120; index++) await simulated.whatsapp(`+1415555${3000 + (index % 40)}`)
    for (let index = 0; index < 30; index++) await simulated.whatsapp('+14155552671')
    await simulated.settled()
    const { text } = await ask(`${simulated.url}/_simulator/parts`, 'GET')
    expect(text.match(/<article/g)).toHaveLength(24)
    expect(text.length).toBeLessThan(300_000)
  })
})

describe.skipIf(!hasBrowser)(`in a browser${unlessBrowser}`, { timeout: browserMs }, () => {
  let window: Window
  beforeAll(async () => {
    window = await openWindow()
  }, browserMs)
  beforeEach(() => window.page.goto(simulated.url))
  afterEach(async () => {
    await window.page.goto('about:blank')
    expect(window.complaints.splice(0)).toEqual([])
  })
  afterAll(() => window?.close())

  it('shows what comes, by itself, and reports at the press of a button', async () => {
    const { page } = window
    await page.getByText('No phone has got anything yet.').waitFor()
    await simulated.whatsapp('+14155550220', notification(nasty))
    const card = page.locator('.phone')
    await card.getByText(`Welcome, ${nasty}!`).waitFor()
    await card.getByRole('button', { name: 'read' }).click()
    await card.locator('.steps').getByText('read').waitFor()
    expect(await simulated.statuses()).toEqual(['sent', 'read'])
  })

  it('shows what came before it could be told of it', async () => {
    const { page } = window
    await page.route('**/_simulator/events', async (route) => {
      await simulated.whatsapp(phone)
      await route.continue()
    })
    await page.reload()
    await page.locator('.phone').waitFor()
    await page.unrouteAll()
  })

  it('gives a phone a fault', async () => {
    const { page } = window
    await simulated.whatsapp(phone)
    await page.getByLabel(`Fault of ${phone}`).selectOption('token-refused')
    await expect.poll(() => simulated.phone(phone).faults.whatsapp).toBe('token-refused')
    expect((await simulated.whatsapp(phone)).status).toBe(401)
    await page.getByText('Not taken: 190').waitFor()
  })
})
