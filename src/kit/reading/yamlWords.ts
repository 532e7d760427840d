/** What is said of a text that is no YAML. The library's own sentences quote the text, in which there may be a secret. */
import type { ErrorCode, YAMLError } from 'yaml'

type Directives = Readonly<{ yaml: { version: string } }>

const wordsByCode: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'an alias (*) has an anchor (&) or a tag (!)',
  BAD_ALIAS: 'an alias (*) is without a name',
  BAD_COLLECTION_TYPE: 'a tag (!) does not fit what is behind it',
  BAD_DIRECTIVE: 'a line that begins with % is no directive',
  BAD_DQ_ESCAPE: 'a backslash within double quotes has no meaning: write two, or single quotes around the text',
  BAD_INDENT: 'a line is not indented as those that it belongs to, or a bracket is not closed',
  BAD_PROP_ORDER: 'an anchor (&) or a tag (!) is not where it may be',
  BAD_SCALAR_START: 'a text begins with a character that YAML reserves: put the text in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a line has a second colon: put the text in quotes',
  BLOCK_IN_FLOW: 'a comma is missing within brackets, or there are lines of a list or a mapping',
  DUPLICATE_KEY: 'a name is there twice',
  IMPOSSIBLE: 'it cannot be understood',
  KEY_OVER_1024_CHARS: 'a name has more than 1024 characters',
  MISSING_CHAR: 'a quote, a bracket, a comma or a colon is missing',
  MULTILINE_IMPLICIT_KEY: 'a line has no colon with a blank behind it',
  MULTIPLE_ANCHORS: 'a value has more than one anchor (&)',
  MULTIPLE_DOCS: 'there is more than one document: leave out the line ---',
  MULTIPLE_TAGS: 'a value has more than one tag (!)',
  NON_STRING_KEY: 'a name is no text',
  RESOURCE_EXHAUSTION: 'it is nested too deeply',
  TAB_AS_INDENT: 'a line is indented with a tab: use spaces',
  TAG_RESOLVE_FAILED: 'a value is not what its tag (!) says',
  UNEXPECTED_TOKEN: 'there is something where nothing may be: put the text in quotes',
}

/** @returns the end of a sentence, without anything of the text */
export function yamlWords({ code, pos: [at] }: Pick<YAMLError, 'code' | 'pos'>, text: string): string {
  // It takes a value that goes on in the next line, which is indented too far, for a name.
  const hasColon = /^\S.*:([ \t\r]|$)/.test(text.slice(at).split('\n', 1)[0]!)
  const own = code === 'BLOCK_AS_IMPLICIT_KEY' && !hasColon ? 'BAD_INDENT' : code
  return blankWords(text, at) ?? wordsByCode[own] ?? wordsByCode.IMPOSSIBLE
}

/** What a line is indented with that only looks like spaces: the library says of most such lines what follows from that. */
function blankWords(text: string, at: number): string | undefined {
  const begin = text.lastIndexOf('\n', at - 1) + 1
  // The next line too: where it seems to go on with this one, the fault is told of this one.
  const blanks = text
    .slice(begin)
    .split('\n', 2)
    .map((line) => line.slice(0, line.length - line.trimStart().length))
  const [other] = /[^ \r]/.exec(blanks.join('')) ?? []
  if (other === undefined) return undefined
  return other === '\t' ? wordsByCode.TAB_AS_INDENT : 'a line is indented with blanks that are no spaces: use spaces'
}

/** Before its version 1.2, `no` was false in YAML, and `0123` was 83. @returns what is wrong with the version that a text names */
export function versionFault({ yaml }: Directives): string | undefined {
  return yaml.version === '1.2' ? undefined : 'a line %YAML names another version than 1.2: leave the line out'
}
