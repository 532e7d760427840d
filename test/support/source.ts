/** The code as text and as a tree, for the tests that hold it to the rules of the house. */
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join, posix } from 'node:path'
import ts from 'typescript'

const root = join(import.meta.dirname, '../..')

/** From the root of the checkout, as are all files here. */
export function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name))
    .map((entry) => posix.relative(root, posix.join(entry.parentPath, entry.name)))
}

export function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

export function isWithin(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`)
}

/** Static and dynamic imports, `require`, types by `import('…')`, and references. */
export function specifiersOf(text: string): string[] {
  const { importedFiles, referencedFiles } = ts.preProcessFile(text, true, true)
  return [...new Set([...importedFiles, ...referencedFiles].map(({ fileName }) => fileName))]
}

/** The file that a specifier leads to; undefined for a package. */
export function targetOf(file: string, specifier: string): string | undefined {
  return /^[./#]/.test(specifier) ? posix.join(posix.dirname(file), specifier) : undefined
}

/** What is left when the process runs: by what Node itself does with a file. */
export function withoutTypes(text: string): string {
  return stripTypeScriptTypes(text)
}

/** Every node of a file that is of a kind. */
export function nodesIn<Node extends ts.Node>(file: string, text: string, is: (node: ts.Node) => node is Node): Node[] {
  const found: Node[] = []
  const visit = (node: ts.Node): void => {
    if (is(node)) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(parseTree(file, text))
  return found
}

/** Of the code; each test is looked at once. */
const trees = new Map<string, ts.SourceFile>()

function parseTree(file: string, text: string): ts.SourceFile {
  const known = trees.get(file)
  const tree = known?.text === text ? known : ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true)
  if (!isWithin(file, 'test')) trees.set(file, tree)
  return tree
}

type Name = ts.Identifier | ts.StringLiteral

const names = new Map<string, Name[]>()

/** Every identifier and string of a file. */
export function namesIn(file: string): Name[] {
  const found =
    names.get(file) ?? nodesIn(file, read(file), (node) => ts.isIdentifier(node) || ts.isStringLiteral(node))
  names.set(file, found)
  return found
}

/** Lets go of all trees: they are hundreds of megabytes, and later files of tests run in the same process. */
export function forgetTrees(): void {
  trees.clear()
  names.clear()
}
