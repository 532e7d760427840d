/** The service with all that it needs of packages, as JavaScript: Node strips no types below `node_modules`. */
import { globSync } from 'node:fs'
import { cp, readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile, type Plugin } from 'esbuild'
import { root } from '../contract/redocly.ts'

/** Read at run time from beside the code, by packages and by us. */
const databaseFiles = [
  ...['pglite.wasm', 'pglite.data', 'initdb.wasm'].map((name) => `@electric-sql/pglite/dist/${name}`),
  '@electric-sql/pglite-prepopulatedfs/dist/prepopulatedfs.tgz',
]

/**
 * @param folder gets the code, `watchword.js` and its parts, and the files that it reads
 * @returns the folders of the packages that are in it
 */
export async function bundleService(folder: string): Promise<string[]> {
  const named = new Set<string>()
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/watchword.ts'],
    outdir: folder,
    // Flat, because code finds its files by its own folder.
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    // A driver in C that nobody installs.
    external: ['pg-native'],
    // CommonJS asks for Node's own modules by this.
    banner: {
      js: "import { createRequire as nodeRequire } from 'node:module'; const require = nodeRequire(import.meta.url);",
    },
    plugins: [ownFiles(named), namedExports],
  })
  requireNames(metafile)
  const read = globSync('src/**/*', { cwd: root, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/\.(ts|js)$/.test(entry.name),
  )
  for (const entry of read) {
    const path = relative(root, join(entry.parentPath, entry.name))
    await cp(join(root, path), join(folder, path))
  }
  for (const script of globSync('src/http/**/*.js', { cwd: root })) await cp(join(root, script), join(folder, script))
  for (const path of databaseFiles)
    await cp(join(root, 'node_modules', path), join(folder, path.split('/').at(-1) as string))
  for (const name of named) await cp(fileOf(name), join(folder, copyOf(name)))
  const inputs = [...Object.keys(metafile.inputs), ...Array.from(named, (name) => relative(root, fileOf(name)))]
  return [...new Set(inputs.flatMap((path) => findPackage(path) ?? []))].toSorted()
}

/** A file of a package that the service reads and hands out as it is: it goes along under its package's name. */
const fileOf = (name: string) => fileURLToPath(import.meta.resolve(name))
const copyOf = (name: string) => `${name.replaceAll('/', '-')}.js`

/**
 * In one folder with all others, a module of ours still finds the files that stood beside it.
 *
 * @param named gets the packages of which it reads a file
 */
const ownFiles = (named: Set<string>): Plugin => ({
  name: 'own files',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/src\/kit\/ownCommand\.ts$/ }, async () => ({
      contents: await readFile(join(root, 'scripts/package/ownCommand.ts'), 'utf8'),
      loader: 'ts',
    }))
    onLoad({ filter: /\/src\/.*\.(ts|js)$/ }, async ({ path }) => {
      if (!path.startsWith(join(root, 'src'))) return undefined
      const place = JSON.stringify(`/${relative(root, dirname(path))}`)
      const text = await readFile(path, 'utf8')
      return {
        contents: text
          .replaceAll('import.meta.dirname', `(import.meta.dirname + ${place})`)
          .replaceAll(/import\.meta\.resolve\('([^']+)'\)/g, (_call, name) => {
            named.add(name)
            return `new URL('./${copyOf(name)}', import.meta.url).href`
          }),
        loader: path.endsWith('.ts') ? 'ts' : 'js',
      }
    })
  },
})

/**
 * Of a CommonJS package that is imported with `import()`, esbuild exports the default alone, and Node what it finds there.
 * So such an import, of any package, goes to a module in between that names what Node finds.
 */
const namedExports: Plugin = {
  name: 'named exports',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      const isOurs = kind === 'dynamic-import' && importer.startsWith(join(root, 'src')) && !isBuiltin(path)
      return isOurs ? { path, namespace: 'named-exports' } : undefined
    })
    onLoad({ filter: /./, namespace: 'named-exports' }, async ({ path }) => {
      const found = Object.keys(await import(path)).filter((name) => name !== 'module.exports')
      return { contents: `export { ${found.join(', ')} } from ${JSON.stringify(path)}`, resolveDir: root }
    })
  },
}

/** @throws Error where code imports CommonJS with `import()` all the same: it would find the default export alone */
function requireNames({ inputs }: Metafile): void {
  for (const [importer, { imports }] of Object.entries(inputs))
    for (const { path, kind } of imports)
      if (kind === 'dynamic-import' && inputs[path]?.format === 'cjs')
        throw new Error(`${importer} imports ${path} with import(), whose named exports a bundle does not have`)
}

function findPackage(path: string): string | undefined {
  const inside = path.split('node_modules/').at(-1)
  if (inside === path || inside === undefined) return undefined
  const [first = '', second = ''] = inside.split('/')
  const name = first.startsWith('@') ? `${first}/${second}` : first
  return path.slice(0, path.length - inside.length) + name
}
