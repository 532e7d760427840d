/** Settings that must be there: without one of them, nothing starts. */
export function required<Name extends string>(...names: Name[]): Record<Name, string> {
  const missing = names.filter((name) => !process.env[name])
  if (missing.length > 0) {
    console.error(`Set ${missing.join(', ')}.`)
    process.exit(1)
  }
  return Object.fromEntries(names.map((name) => [name, process.env[name]])) as Record<Name, string>
}
