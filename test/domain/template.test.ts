import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { variablesMax } from '../../src/contract/document.ts'
import { fillTemplate, variablesOf } from '../../src/domain/sending/wordings/templateText.ts'
import { findTemplateFault } from '../../src/domain/templates/templateEntry.ts'
import { Problem } from '../../src/kit/problem.ts'

const text = 'Hello {{name}}, order {{ order_id }} is ready. Thank you, {{name}}!'

type Values = Parameters<typeof fillTemplate>[1]

function fill(text: string, values: Values, charactersMax = 4096): { text: string; variables: Record<string, string> } {
  const filled = fillTemplate(text, values, charactersMax)
  if (filled instanceof Problem) throw filled
  return filled
}

function refusal(text: string, values: Values, charactersMax = 4096): Problem {
  const refused = fillTemplate(text, values, charactersMax)
  if (refused instanceof Problem) return refused
  throw new Error('was filled')
}

describe('a template', () => {
  it('is filled: every place of a variable, with spaces in its braces or without', () => {
    expect(fill(text, { name: 'Ada', order_id: '42' })).toEqual({
      text: 'Hello Ada, order 42 is ready. Thank you, Ada!',
      variables: { name: 'Ada', order_id: '42' },
    })
  })

  it('shows numbers and booleans as JSON writes them', () => {
    const filled = fill('{{a}} {{b}} {{c}} {{d}}', { a: 0, b: -1.5, c: true, d: false })
    expect(filled).toEqual({ text: '0 -1.5 true false', variables: { a: '0', b: '-1.5', c: 'true', d: 'false' } })
  })

  it('without variables is itself', () => {
    expect(fill('Closed today. {not} a {variable}', {})).toEqual({
      text: 'Closed today. {not} a {variable}',
      variables: {},
    })
  })

  it('takes an empty value', () => {
    expect(fill('a{{x}}b', { x: '' }).text).toBe('ab')
  })

  it('names its variables once each, in the order of the text', () => {
    expect(variablesOf(text)).toEqual(['name', 'order_id'])
  })

  it('names every missing and every unknown variable at once', () => {
    const problem = refusal('{{a}} {{b}} {{c}} {{a}}', { b: 'x', d: 'y', e: 1 })
    expect(problem).toMatchObject({ code: 'invalid_variables', status: 400 })
    expect(problem.details).toEqual([
      { field: '/variables/a', code: 'missing', message: 'is required by the template' },
      { field: '/variables/c', code: 'missing', message: 'is required by the template' },
      { field: '/variables/d', code: 'unknown', message: 'is not a variable of the template' },
      { field: '/variables/e', code: 'unknown', message: 'is not a variable of the template' },
    ])
  })

  it('is filled to as many characters as a text may have, and not to one more', () => {
    // Each counts as one character, whatever it takes to hold it.
    const values = { a: '🦊'.repeat(5), b: 1.5 }
    expect(fill('{{a}}-{{a}}-{{b}}', values, 15).text).toHaveLength(25)
    expect(() => fill('{{a}}-{{a}}-{{b}}', values, 14)).toThrow(
      expect.objectContaining({
        code: 'invalid_variables',
        details: [
          { field: '/variables', code: 'too_long', message: 'must fill the template to at most 14 characters' },
        ],
      }),
    )
  })

  it('does not repeat a value in a refusal', () => {
    const problem = refusal('{{a}}', { b: 'top secret' })
    expect(JSON.stringify([problem.message, problem.details])).not.toContain('top secret')
  })

  it('points at an unknown name as JSON pointers do, whatever is in it', () => {
    expect(refusal('', { 'a/b~c': 1 }).details).toMatchObject([{ field: '/variables/a~1b~0c', code: 'unknown' }])
  })

  it('shows a value as it is: places and replacement patterns in it mean nothing', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom('{{b}}', '{{ a }}', '{{{b}}}', '$&', '$1', '$$', "$'", '$<b>')),
        fc.string(),
        (a, b) => {
          expect(fill('<{{a}}|{{b}}|{{a}}>', { a, b }).text).toBe(`<${a}|${b}|${a}>`)
        },
      ),
    )
  })

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'])(
    'does not take %s for a variable that it has',
    (name) => {
      const values = JSON.parse(`{"${name}": "x", "a": "y"}`)
      expect(refusal('{{a}}', values).details).toEqual([
        { field: `/variables/${name}`, code: 'unknown', message: 'is not a variable of the template' },
      ])
    },
  )

  it('does not take what every object inherits for a value that was sent', () => {
    expect(refusal('{{constructor}}', {}).details).toMatchObject([{ field: '/variables/constructor', code: 'missing' }])
    expect(fill('{{constructor}}', { constructor: 'Ada' }).text).toBe('Ada')
  })
})

function variables(count: number): string {
  return Array.from({ length: count }, (_, index) => `{{v${index}}}`).join(' ')
}

describe('the text of a template', () => {
  it.each([
    '',
    'Closed today.',
    'Hello {{name}}',
    '{{ name }}{{name_2}}',
    `{{a${'b'.repeat(63)}}}`,
    'a { single } brace',
    'JSON: {"x": {{x}}}',
    variables(variablesMax),
    Array.from({ length: 60 }, () => '{{same}}').join(' '),
  ])('is taken: %s', (text) => {
    expect(findTemplateFault(text, variablesMax)).toBeUndefined()
  })

  it.each([
    ['Hello {{Name}}', '"{{Name}}"'],
    ['Hello {{first name}}', '"{{first name}}"'],
    ['Hello {{1st}}', '"{{1st}}"'],
    ['Hello {{user.name}}', '"{{user.name}}"'],
    ['Hello {{_name}}', '"{{_name}}"'],
    ['Hello {{__proto__}}', '"{{__proto__}}"'],
    ['Hello {{}}', '"{{}}"'],
    ['Hello {{name', '"{{name"'],
    ['Hello {{name}', '"{{name}"'],
    ['Hello name}}', '"}}"'],
    ['{{fine}} and {{Not}}', '"{{Not}}"'],
    [`{{a${'b'.repeat(64)}}}`, `"{{a${'b'.repeat(64)}}}"`],
  ])('is refused, and what is wrong named: %s', (text, named) => {
    expect(findTemplateFault(text, variablesMax)).toContain(`${named} is no variable`)
  })

  it('is told of each place that is no variable, at once', () => {
    expect(findTemplateFault('{{na me}} {{X}} {{y', variablesMax)).toContain(
      '"{{na me}}", "{{X}}", "{{y" are no variables',
    )
    expect(findTemplateFault('{{a {{B}} {{c c}} {{D}} {{E}} {{F}} {{G}}', variablesMax)).toContain('"{{E}}" and 2 more')
  })

  it('is refused with more variables than a request may have', () => {
    const message = `it has more than ${variablesMax} variables`
    expect(findTemplateFault(variables(variablesMax + 1), variablesMax)).toBe(message)
  })
})
