/** XML as gateways write it: read as members, and what is more than that is not read. */
import fc from 'fast-check'
import { XMLParser } from 'fast-xml-parser'
import { expect, it } from 'vitest'
import { readXml, writeXml, xmlFaults } from '../../src/mapping/xml.ts'

const plain = (text: string) => JSON.parse(JSON.stringify(readXml(text) ?? null))

it.each([
  ['<r><id>007</id><n> 1e5 </n></r>', { r: { id: '007', n: '1e5' } }],
  ['<r a="1" b=\'x "y"\'/>', { r: { '@a': '1', '@b': 'x "y"' } }],
  ['<r code="0">OK</r>', { r: { '@code': '0', '#text': 'OK' } }],
  ['<r><m>1</m><m>2</m><m/></r>', { r: { m: ['1', '2', ''] } }],
  ['\ufeff<?xml version="1.0" encoding="UTF-8"?>\r\n<!-- made by hand -->\n<r>\n</r>\n<!-- end -->', { r: '' }],
  ['<r>&lt;&gt;&amp;&quot;&apos;&#233;&#x1F600;</r>', { r: '<>&"\'é😀' }],
  ['<r><![CDATA[<b>&amp;</b>]]></r>', { r: '<b>&amp;</b>' }],
  ['<s:Envelope xmlns:s="u"><s:Body>x</s:Body></s:Envelope>', { 's:Envelope': { '@xmlns:s': 'u', 's:Body': 'x' } }],
  [
    '<r><__proto__>1</__proto__><constructor>2</constructor></r>',
    { r: JSON.parse('{"__proto__":"1","constructor":"2"}') },
  ],
])('reads %s as members, and numbers as text', (text, members) => {
  expect(plain(text)).toEqual(members)
  expect(({} as { x?: unknown }).x).toBe(undefined)
})

it.each([
  ['an entity', '<!DOCTYPE r [<!ENTITY x "y">]><r>&x;</r>'],
  ['an entity that grows', `<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "&a;&a;&a;">]><r>&b;</r>`],
  ['a DTD alone', '<!DOCTYPE r SYSTEM "http://127.0.0.1/evil.dtd"><r/>'],
  ['an entity that is none of the five', '<r>&nbsp;</r>'],
  ['an ampersand', '<r>a & b</r>'],
  ['a character that XML has not', '<r>&#0;</r>'],
  ['half a character', '<r>&#xD800;</r>'],
  ['a character beyond all', '<r>&#x110000;</r>'],
  ['a control character', '<r>\u0001</r>'],
  ['two roots', '<r/><r/>'],
  ['two roots of other names', '<r/><s/>'],
  ['text before the root', 'OK <r/>'],
  ['text behind the root', '<r/> OK'],
  ['a root that does not end', '<r><a>'],
  ['an end that is another', '<r></s>'],
  ['an end alone', '</r>'],
  ['an attribute twice', '<r a="1" a="2"/>'],
  ['an attribute without quotes', '<r a=1/>'],
  ['a tag in an attribute', '<r a="<b>"/>'],
  ['a smaller-than sign', '<r>a < b</r>'],
  ['HTML', '<!doctype html><html><body><br><p>502</body></html>'],
  ['JSON', '{"a":1}'],
  ['nothing', ''],
  ['blanks', ' \n '],
  ['a megabyte', `<r>${'x'.repeat(1_000_000)}</r>`],
  ['10,000 elements in one another', '<a>'.repeat(5000) + '</a>'.repeat(5000)],
  ['10,000 that do not end', '<a>'.repeat(10_000)],
  ['21 elements in one another', '<a>'.repeat(21) + '</a>'.repeat(21)],
])('does not read %s', (_what, text) => {
  expect(readXml(text)).toBe(undefined)
})

it('reads 20 elements in one another, and the fullest 64 KB in no time', () => {
  expect(readXml('<a>'.repeat(20) + '</a>'.repeat(20))).toBeDefined()
  const full = [
    `<r>${'<b/>'.repeat(16_000)}</r>`,
    `<r ${' '.repeat(65_000)}`,
    `<r ${'a="1" '.repeat(10_000)}`,
    `<r>${'&amp;'.repeat(13_000)}</r>`,
    `<${'a'.repeat(65_000)}`,
    `${'<!--'.repeat(16_000)}`,
    `<r>${'<![CDATA['.repeat(7000)}`,
  ]
  for (const text of full) {
    const before = process.cpuUsage()
    readXml(text)
    expect(process.cpuUsage(before).user, text.slice(0, 20)).toBeLessThan(500_000)
  }
})

/** Texts as messages have them, and what XML could take for its own. */
const words = fc.string({ unit: fc.constantFrom(...'ab7 <>&"\'];é😀'), maxLength: 12 }).map((text) => text.trim())
const names = fc.constantFrom('a', 'b', 'soap:Body', 'message-id')
const tree = fc.letrec((tie) => ({
  element: fc.oneof(
    { maxDepth: 4 },
    words,
    fc.dictionary(names, fc.oneof(tie('element'), fc.array(tie('element'), { minLength: 2, maxLength: 3 })), {
      minKeys: 1,
      maxKeys: 3,
    }),
  ),
})).element

it('reads again what it writes, and what it writes is read so by a library too', () => {
  const library = new XMLParser({
    ...{ ignoreAttributes: false, attributeNamePrefix: '@', parseTagValue: false, ignoreDeclaration: true },
    ...{ htmlEntities: true, trimValues: false },
  })
  fc.assert(
    fc.property(tree, words, (inner, attribute) => {
      const root = { root: typeof inner === 'string' ? inner : { '@id': attribute, ...(inner as object) } }
      const text = writeXml(root) ?? ''
      expect(plain(text)).toEqual(root)
      expect(library.parse(text)).toEqual(root)
    }),
  )
})

it('never writes a text as an element, nor what XML cannot hold', () => {
  expect(writeXml({ r: { '@a': '"><x/>', '#text': '</r><x/>', n: 7, b: true } })).toBe(
    '<?xml version="1.0" encoding="UTF-8"?><r a="&quot;&gt;&lt;x/&gt;">&lt;/r&gt;&lt;x/&gt;<n>7</n><b>true</b></r>',
  )
  expect(writeXml({ r: 'a\u0000b' })).toBe(undefined)
  expect(writeXml({ r: '\ud800' })).toContain('\ufffd')
})

it.each([
  ['no root', {}, []],
  ['two roots', { a: 1, b: 2 }, []],
  ['a list of roots', { a: [1, 2] }, []],
  ['a text', 'a', []],
  ['a name with a space', { a: { 'b c': 1 } }, ['a', 'b c']],
  ['an element in an attribute', { a: { '@b': { c: 1 } } }, ['a', '@b']],
  ['a list in a list', { a: { b: [[1]] } }, ['a', 'b', 0]],
])('names a body that is no XML: %s', (_what, body, path) => {
  expect(xmlFaults(body)).toEqual([{ path, fault: expect.stringMatching(/^must /) }])
})
