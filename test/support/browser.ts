/** A real Chromium, where the machine has one. What a page complains about there fails the test that looks at it. */
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { installed } from './installed.ts'

export const executable = installed('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')

if (!executable && process.env.CI === 'true') {
  throw new Error('CI is true, and there is no Chromium on the PATH: install one (Debian: apt-get install chromium).')
}

/** For the title of what is skipped without one. */
export const skipped = executable ? '' : ' (skipped: no Chromium on the PATH)'

export interface Window {
  page: Page
  context: BrowserContext
  /** What the pages have complained about since the last time: errors, what the policy forbade, requests to other hosts. */
  complaints: () => string[]
  close: () => Promise<void>
}

export function launch(): Promise<Browser> {
  // Its sandbox needs rights that a container seldom gives; it visits this machine alone.
  return chromium.launch({ executablePath: executable!, args: ['--no-sandbox'] })
}

/** @param url the only place that its pages may ask */
export async function openWindow(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Window> {
  const context = await browser.newContext({ baseURL: url, ...options })
  const page = await context.newPage()
  let heard: string[] = []
  page.on('pageerror', (error) => heard.push(String(error)))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) heard.push(`${page.url()}: ${message.text()}`)
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`)) heard.push(`asked for ${request.url()}`)
  })
  return {
    page,
    context,
    complaints: () => {
      const told = heard
      heard = []
      return told
    },
    close: () => context.close(),
  }
}

/** Lets a window be the one of somebody who is signed in. @param cookie `name=value` */
export async function enter({ context }: Pick<Window, 'context'>, url: string, cookie: string): Promise<void> {
  const [name = '', value = ''] = cookie.split('=', 2)
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }])
}
