/** What client teams that write no TypeScript generate, what they need for it, and how what they made is started. */
import { type ExecFileOptions, execFile, execFileSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { installed } from '../support/installed.ts'
import { namedExamples } from './examples.ts'

interface Client {
  generator: string
  language: 'Python' | 'Go' | 'Java' | 'PHP' | 'Ruby' | 'Rust'
  /** A file, or a folder whose files are needed. */
  driver: string
  /** What the machine would have to have. */
  needs: Record<string, unknown>
  /** Run beside the driver; both forms of the contract lie in the folder above. */
  command: [tool: string, ...options: string[]]
  /** Done in the folder before the generator runs. */
  before?: (folder: string) => Promise<void>
  /** Run in a shell in the folder after it, as the page for client teams has it. */
  repair?: string
  /** @returns how to start it */
  compile: (folder: string) => Promise<string[]>
}

const [java, javac, go, php, ruby, cargo] = ['java', 'javac', 'go', 'php', 'ruby', 'cargo'].map((name) =>
  installed(name),
)
/** Where Debian puts libraries of Go; without modules, because nothing is to be fetched. */
const goEnvironment = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode' }
const withOauth = go && canRun(go, 'list', 'golang.org/x/oauth2')
const withDateutil = pythonThatCan('import dateutil.parser')
const withOwnDates = pythonThatCan('import sys; assert sys.version_info >= (3, 11)')
const withUrllib = pythonThatCan('import certifi, dateutil.parser, six, urllib3')
const jackson = ['core', 'databind', 'annotations'].map((part) => `/usr/share/java/jackson-${part}.jar`)
/** Where Debian puts the source of Rust's libraries. */
const crates = '/usr/share/cargo/registry'
const withCrates = ['reqwest', 'serde_derive', 'serde_json'].every((name) => globSync(`${crates}/${name}-*`).length > 0)

/** Exits with 0 where all is there. */
const usesOfPhp = `require "GuzzleHttp/autoload.php";
exit(method_exists("GuzzleHttp\\Psr7\\Query", "build") && function_exists("mb_strlen") ? 0 : 1);`

const types = ['--src-lang', 'schema', '../openapi.3.1.json#/components/schemas/']
const whole = ['openapi-generator', 'generate', '-i', '../openapi.json', '-o', '.'] as const
const generator = '@openapitools/openapi-generator-cli'

export const clients: Client[] = [
  {
    generator: 'quicktype',
    language: 'Python',
    driver: 'quicktype.py',
    needs: { 'python3 with python-dateutil, or of version 3.11': withDateutil ?? withOwnDates },
    command: ['quicktype', ...types, '--lang', 'python', '--out', 'watchword.py'],
    ...(!withDateutil && { before: bringDates }),
    compile: (folder) => compilePython(folder, withDateutil ?? withOwnDates!, 'quicktype.py'),
  },
  {
    generator: 'quicktype',
    language: 'Go',
    driver: 'quicktype.go',
    needs: { go },
    command: ['quicktype', ...types, '--lang', 'go', '--package', 'main', '--out', 'types.go'],
    compile: compileGo,
  },
  {
    generator,
    language: 'Python',
    driver: 'openapi-generator.py',
    needs: { java, 'python3 with certifi, python-dateutil, six and urllib3': withUrllib },
    command: [...whole, '-g', 'python', '--package-name', 'watchword'],
    compile: (folder) => compilePython(folder, withUrllib!, 'openapi-generator.py'),
  },
  {
    generator,
    language: 'Go',
    driver: 'openapi-generator.go',
    needs: { java, go, 'golang.org/x/oauth2': withOauth },
    command: [...whole, '-g', 'go-experimental', '--package-name', 'main'],
    // Of a value that is text, a number or a boolean, it makes a type that holds none of them. The driver has its own.
    before: (folder) => writeFile(join(folder, '.openapi-generator-ignore'), 'model_variable_value.go\n'),
    compile: async (folder) => {
      dropUnusedImports(folder)
      return await compileGo(folder)
    },
  },
  {
    generator,
    language: 'Java',
    driver: 'java',
    needs: { java, javac, 'libjackson2-databind-java': jackson.every((jar) => existsSync(jar)) },
    command: [...whole, '-g', 'java', '--library', 'native', '--additional-properties', 'dateLibrary=java8'],
    repair: String.raw`perl -pi -e 's/public String (get(Result|Type)\(\);)/public Object $1/; s/throw new IllegalArgumentException\("Unexpected value .*/return null;/' src/main/java/org/openapitools/client/model/*.java`,
    compile: compileJava,
  },
  {
    generator,
    language: 'PHP',
    driver: 'openapi-generator.php',
    needs: { java, 'php with Guzzle 7 and mbstring': php && canRun(php, '-r', usesOfPhp) },
    command: [...whole, '-g', 'php', '--additional-properties', 'invokerPackage=Watchword'],
    repair: String.raw`perl -pi -e 's/!in_array\([^,]*, (\$allowedValues|[^,]*getAllowableEnumValues\(\)), true\)/false/; s/map\[string,[^]]*VariableValue\]/object/; s/Psr7\\build_query/Psr7\\Query::build/' lib/*.php lib/*/*.php`,
    compile: async () => [php!, 'openapi-generator.php'],
  },
  {
    generator,
    language: 'Ruby',
    driver: 'openapi-generator.rb',
    needs: { java, 'ruby with typhoeus': ruby && canRun(ruby, '-e', 'require "typhoeus"') },
    command: [...whole, '-g', 'ruby', '--additional-properties', 'gemName=watchword,moduleName=Watchword'],
    repair: String.raw`perl -pi -e 's/!value \|\| allowable_values\.include\?\(value\)/true/; s/raise "Invalid ENUM value.*//' lib/watchword/models/*.rb`,
    compile: async () => [ruby!, 'openapi-generator.rb'],
  },
  {
    generator,
    language: 'Rust',
    driver: 'rust',
    needs: { java, 'cargo with reqwest 0.11, of librust-reqwest-dev': cargo && withCrates },
    command: [...whole, '-g', 'rust', '--library', 'reqwest', '--additional-properties', 'packageName=watchword'],
    repair: String.raw`perl -pi -e 's/reqwest::Client/reqwest::blocking::Client/; s/models::crate:://g; s/(_type: Type|result: Result), // unless $ARGV =~ /put_template/; s/&s\.to_string\(\)/s/' src/*/*.rs`,
    compile: compileRust,
  },
]

async function compileGo(folder: string): Promise<string[]> {
  const names = [...new Set(namedExamples().map(({ schema }) => schema))]
  const lines = names.map((name) => `\t"${name}": func() interface{} { return new(${name}) },`)
  const source = ['package main', '', 'var schemas = map[string]func() interface{}{', ...lines, '}', '']
  await writeFile(join(folder, 'schemas.go'), source.join('\n'))
  await run(go!, ['build', '-o', 'client', '.'], { cwd: folder, env: goEnvironment })
  return [join(folder, 'client')]
}

async function compilePython(folder: string, python: string, driver: string): Promise<string[]> {
  execFileSync(python, ['-m', 'compileall', '-q', '.'], { cwd: folder })
  return [python, driver]
}

async function compileJava(folder: string): Promise<string[]> {
  const sources = globSync(['*.java', 'src/main/**/*.java'], { cwd: folder })
  const path = jackson.join(delimiter)
  await run(javac!, ['-nowarn', '-proc:none', '-cp', path, '-d', 'out', ...sources], { cwd: folder })
  return [java!, '-cp', ['out', ...jackson].join(delimiter), 'Team']
}

async function compileRust(folder: string): Promise<string[]> {
  const names = [...new Set(namedExamples().map(({ schema }) => schema))]
  // Alone, an event has no type: that is the mark by which all events are told apart.
  const arms = names.map(
    (name) => `        "${name}" => again::<${name.endsWith('Event') ? 'WebhookEvent' : name}>(value),`,
  )
  const head = ['fn read(schema: &str, value: Value) -> Value {', '    match schema {']
  const source = [...head, ...arms, '        _ => panic!("{schema}"),', '    }', '}', '']
  await writeFile(join(folder, 'schemas.rs'), source.join('\n'))
  const sources = ['source.crates-io.replace-with="debian"', `source.debian.directory="${crates}"`]
  const options = sources.flatMap((source) => ['--config', source])
  await run(cargo!, ['build', '--quiet', '--offline', ...options], { cwd: folder })
  return [join(folder, 'target/debug/team')]
}

/** What quicktype's Python needs of python-dateutil, Python has had since 3.11. */
async function bringDates(folder: string): Promise<void> {
  await mkdir(join(folder, 'dateutil'))
  await writeFile(
    join(folder, 'dateutil/parser.py'),
    'from datetime import datetime\n\nparse = datetime.fromisoformat\n',
  )
}

/** openapi-generator leaves them to `goimports`, and Go compiles no file that has one. */
function dropUnusedImports(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => file.startsWith('model_'))) {
    const source = readFileSync(join(folder, name), 'utf8')
    if (!source.includes('time.')) writeFileSync(join(folder, name), source.replace('\t"time"\n', ''))
  }
}

/** The first Python of the PATH that can do this: one of several may have the libraries. */
function pythonThatCan(statement: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, 'python3')).find((python) => canRun(python, '-c', statement))
}

function canRun(program: string, ...options: string[]): boolean {
  try {
    execFileSync(program, options, { env: goEnvironment, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export function run(program: string, options: string[], settings: ExecFileOptions, input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, options, settings, (error, output, errors) =>
      error ? reject(new Error(`${error.message}\n${errors}`)) : resolve(String(output)),
    )
    child.stdin?.end(input)
  })
}
