/** Browsers by the names that people know them by. What a browser says of itself is not believed, only shown. */

const browsers = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|Chromium|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const

const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

/** `Firefox on Linux`; what it says of itself when that is none of those. */
export function nameBrowser(agent: string): string {
  const [browser] = browsers.find(([, form]) => form.test(agent)) ?? []
  const [system] = systems.find(([, form]) => form.test(agent)) ?? []
  if (browser === undefined) return agent === '' ? 'Unknown browser' : agent
  return system === undefined ? browser : `${browser} on ${system}`
}
