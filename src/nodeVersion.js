/**
 * Ends a process on a Node that is too old, with a sentence. It is read before all else, by any Node that knows modules: what an
 * older one lacks would end it with a SyntaxError.
 */
const least = [24, 7]
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < least[0] || (major === least[0] && minor < least[1])) {
  process.stderr.write(
    `Watchword needs Node ${least.join('.')} or newer, and this is Node ${process.versions.node} (${process.execPath}). ` +
      'In a checkout, "npm ci" brings a newer one, unless it leaves scripts or packages for development out.\n',
  )
  process.exit(1)
}
