/** What no message may have in it: regular expressions, and what libraries, the system and the language say of a fault. */

const foreign: Readonly<Record<string, RegExp>> = {
  'a regular expression':
    /\\[dDwWsSbB]|\\p\{|\(\?[:!=<]|\][*+](?=[$)\]]|$)|\]\{\d|\{\d+,\d*\}|\[[a-z]-[a-z]|\[0-9|\^\[/i,
  zod: /Invalid (input|option|key|element|string|format|discriminator|email|url|uuid)|Too (small|big)|expected (one of|string|number|int|boolean|object|array|record|map|date)|Unrecognized key|received (undefined|null|string|number|boolean|object|array|NaN)/i,
  ajv: /must (NOT|match|pass)\b|must have required|must be (string|number|integer|boolean|object|array|null)\b|"(if|then)" keyword/,
  yaml: /Flow (sequence|map)|Implicit (map )?key|Nested mappings|Plain value|Map keys|Unresolved|Excessive|Block collection|All (mapping|sequence) items|Missing closing|Unexpected (scalar|block|flow|property)/,
  commander:
    /unknown (option|command)|missing required argument|required option|too many arguments|argument missing|not specified/,
  'the system':
    /\bE(CONN\w+|NOENT|ACCES|PERM|NOTDIR|ISDIR|EXIST|PIPE|HOSTUNREACH|AI_AGAIN|NOTFOUND|ADDRINUSE)\b|getaddrinfo|UND_ERR/,
  PostgreSQL: /relation ".*" does|violates|syntax error at|invalid input syntax/,
  JavaScript:
    /Unexpected (token|end)|is not (a function|iterable|defined)|propert(y|ies) of|\[object |\bundefined\b|\bNaN\b|(Syntax|Type|Range)Error/,
}

/** @returns what a message has of it, with the message */
export function foreignWords(message: string): string[] {
  return Object.entries(foreign).flatMap(([whose, form]) => {
    const [found] = form.exec(message) ?? []
    return found === undefined ? [] : [`${whose}: "${found}" in ${message}`]
  })
}

/** What people write where something else is wanted. */
const wrongs: readonly unknown[] = [
  ...['', 'x'.repeat(5000), 'No such value!', 'a\0', 7, -0.5, 1e9, true, null],
  ...[[], {}, ['a', 'a'], { a: { b: 1 } }],
]

/** @returns the value with each of its parts wrong in each way, left out, or with one that is not known */
export function* wrongOnes(value: unknown, ways = wrongs): Generator {
  yield* ways
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      for (const wrong of wrongOnes(item, ways)) yield value.with(index, wrong)
    yield [...value, ...value]
    return
  }
  for (const [name, member] of Object.entries(value)) {
    const { [name]: _left, ...others } = value as Record<string, unknown>
    yield others
    for (const wrong of wrongOnes(member, ways)) yield { ...value, [name]: wrong }
  }
  yield { ...value, colour: 'blue' }
}
