/** A request as one would write it in three languages: each runs as it stands, with the key in WATCHWORD_API_KEY. */
import { jsonOf, type Language } from './text.ts'

export interface SampleRequest {
  method: string
  url: string
  body?: unknown
  /** Whether it may have an `Idempotency-Key`. */
  takesKey: boolean
}

export const keyVariable = 'WATCHWORD_API_KEY'
export const idempotencyKey = 'Idempotency-Key'
/** After which a caller stops waiting: the service itself gives up before. */
const timeoutSeconds = 15

export interface Sample {
  /** As people call it. */
  name: string
  language: Language
  requestOf: (sent: SampleRequest) => string
}

export const samples: readonly Sample[] = [
  { name: 'curl', language: 'bash', requestOf: curl },
  { name: 'TypeScript', language: 'typescript', requestOf: typescript },
  { name: 'Python', language: 'python', requestOf: python },
]

function curl({ method, url, body }: SampleRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const parts = [
    `curl ${method === (body === undefined ? 'GET' : 'POST') ? '' : `-X ${method} `}${quoted(url)}`,
    `-H "Authorization: Bearer $${keyVariable}"`,
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(jsonOf(body))}`]),
  ]
  return parts.join(' \\\n  ')
}

function typescript({ method, url, body, takesKey }: SampleRequest): string {
  const lines = [
    `const response = await fetch(${stringOf(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    `    Authorization: \`Bearer \${process.env.${keyVariable}}\`,`,
    ...(takesKey ? [`    '${idempotencyKey}': crypto.randomUUID(),`] : []),
    ...(body === undefined ? [] : ["    'Content-Type': 'application/json',"]),
    '  },',
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(unquoted(jsonOf(body)), 2)}),`]),
    `  signal: AbortSignal.timeout(${timeoutSeconds}_000),`,
    '})',
    'console.log(response.status, await response.json())',
  ]
  return lines.join('\n')
}

function python({ method, url, body, takesKey }: SampleRequest): string {
  const lines = [
    'import json',
    'import os',
    'import urllib.error',
    'import urllib.request',
    ...(takesKey ? ['import uuid'] : []),
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    `    method="${method}",`,
    '    headers={',
    `        "Authorization": "Bearer " + os.environ["${keyVariable}"],`,
    ...(takesKey ? [`        "${idempotencyKey}": str(uuid.uuid4()),`] : []),
    ...(body === undefined ? [] : ['        "Content-Type": "application/json",']),
    '    },',
    ...(body === undefined ? [] : [`    data=json.dumps(${indented(literal(body), 4)}).encode(),`]),
    ')',
    'try:',
    `    with urllib.request.urlopen(request, timeout=${timeoutSeconds}) as response:`,
    '        print(response.status, json.load(response))',
    'except urllib.error.HTTPError as error:',
    '    print(error.code, json.load(error))',
  ]
  return lines.join('\n')
}

const stringOf = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`

/** Every line but the first goes to the right. */
function indented(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`)
}

/** JSON as people write objects: a line begins with a name, and a text holds no line's end. */
function unquoted(json: string): string {
  return json.replaceAll(/^( *)"([A-Za-z_$][\w$]*)":/gm, '$1$2:')
}

/** JSON in Python's words, which has its own for three values. */
function literal(value: unknown): string {
  const json = JSON.stringify(value, undefined, 4)
  const words: Record<string, string> = { true: 'True', false: 'False', null: 'None' }
  return json.replaceAll(/(?<=^ *(?:"(?:[^"\\]|\\.)*": )?)(?:true|false|null)(?=,?$)/gm, (word) => words[word] ?? word)
}
