/** A real Chromium, where one is installed: one for all files of a process, and for each a window of its own. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { installed } from './installed.ts'

export interface Window {
  page: Page
  /** The addresses that the page asked for. */
  asked: string[]
  /** What the browser had to say against the page. */
  complaints: string[]
  close: () => Promise<void>
}

export const executablePath = installed('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')

export const hasBrowser = executablePath !== undefined
if (!hasBrowser && process.env.CI === 'true') {
  throw new Error('CI is true, and there is no Chromium on the PATH: install one (Debian: apt-get install chromium).')
}
/** What a title says where there is none. */
export const unlessBrowser = hasBrowser ? '' : ' (skipped: no Chromium on the PATH)'

/** For a test: as long as a busy machine takes for what a quiet one does in a second. */
export const browserMs = 90_000

let browser: Promise<Browser> | undefined

/** With cookies and a cache of its own. */
export async function openWindow(options: BrowserContextOptions = {}): Promise<Window> {
  browser ??= chromium.launch({
    executablePath: executablePath!,
    // Its sandbox needs rights that a container seldom gives; it visits this machine alone.
    args: ['--no-sandbox'],
    // It ends by itself with this process, whose end is not for it to handle.
    ...{ handleSIGHUP: false, handleSIGINT: false, handleSIGTERM: false },
    timeout: browserMs,
  })
  const context = await (await browser).newContext(options)
  context.setDefaultTimeout(browserMs / 2)
  const page = await context.newPage()
  const [asked, complaints]: [string[], string[]] = [[], []]
  page.on('request', (request) => asked.push(request.url()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.text()} (${page.url()})`)
  })
  return { page, asked, complaints, close: () => context.close() }
}

/** Lets a window be the one of somebody who is signed in. @param cookie `name=value` */
export async function enter({ page }: Window, url: string, cookie: string): Promise<void> {
  const [name = '', value = ''] = cookie.split('=', 2)
  await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }])
}
