/** What a schema of the contract demands of the answers that this version sends. */
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { closed } from '../../scripts/contract/closed.ts'

const text = { type: 'string' }
const object = (properties: object, required = Object.keys(properties)) => ({ type: 'object', properties, required })
const fits = (schema: object, value: unknown) => new Ajv({ strict: true }).validate(closed({ ...schema }), value)

const error = object({
  success: { type: 'boolean' },
  data: { ...object({ code: { enum: ['a', 'b', 'c'] }, message: text }) },
})

describe('a closed schema', () => {
  it('refuses a field that it does not describe, at every depth', () => {
    const schema = object({ list: { type: 'array', items: object({ name: text }) } })
    expect(fits(schema, { list: [{ name: 'x' }] })).toBe(true)
    expect(fits(schema, { list: [{ name: 'x', surplus: 1 }] })).toBe(false)
    expect(fits(schema, { list: [], surplus: 1 })).toBe(false)
  })

  it('refuses what requests alone have, also where it is required', () => {
    const schema = object({ name: text, pin: { ...text, writeOnly: true }, at: { allOf: [text], writeOnly: true } })
    expect(fits(schema, { name: 'x' })).toBe(true)
    expect(fits(schema, { name: 'x', pin: '1' })).toBe(false)
    expect(fits(schema, { name: 'x', at: '1' })).toBe(false)
    expect(fits({ oneOf: [schema] }, { name: 'x' })).toBe(true)
  })

  it('leaves open what is described as open, and closes what is in it', () => {
    const map = { type: 'object', additionalProperties: object({ name: text }) }
    expect(fits(map, { any: { name: 'x' } })).toBe(true)
    expect(fits(map, { any: { name: 'x', surplus: 1 } })).toBe(false)
    expect(fits({ ...object({ name: text }), additionalProperties: true }, { name: 'x', surplus: 1 })).toBe(true)
  })

  it('tells a remark from a field of the same name', () => {
    const schema = { ...object({ description: text, 'x-unit': text }), description: 'a remark', 'x-unit': 1 }
    expect(fits(schema, { description: 'x', 'x-unit': 'x' })).toBe(true)
  })

  it('takes the fields of all parts of an allOf, and of no other', () => {
    const schema = { allOf: [object({ a: text }), { description: 'more', ...object({ b: text }) }] }
    expect(fits(schema, { a: 'x', b: 'x' })).toBe(true)
    expect(fits(schema, { a: 'x' })).toBe(false)
    expect(fits(schema, { a: 'x', b: 'x', surplus: 1 })).toBe(false)
  })

  it('lets an allOf narrow a field deep inside', () => {
    const narrow = { properties: { data: { properties: { code: { enum: ['b', 'd'] } } } } }
    const schema = { allOf: [error, narrow] }
    expect(fits(schema, { success: false, data: { code: 'b', message: '' } })).toBe(true)
    expect(fits(schema, { success: false, data: { code: 'a', message: '' } })).toBe(false)
    expect(fits(schema, { success: false, data: { code: 'd', message: '' } })).toBe(false)
    expect(fits(schema, { success: false, data: { code: 'b', message: '', surplus: 1 } })).toBe(false)
  })

  it('takes the fields of one part of a oneOf with those beside it', () => {
    const schema = { ...object({ id: text }), oneOf: [object({ a: text }), object({ b: text })] }
    expect(fits(schema, { id: 'x', a: 'x' })).toBe(true)
    expect(fits(schema, { id: 'x', a: 'x', surplus: 1 })).toBe(false)
    expect(fits(schema, { a: 'x' })).toBe(false)
    expect(fits(schema, { id: 'x', a: 'x', b: 'x' })).toBe(false)
  })

  it('refuses what two parts of a oneOf fit as clients read them', () => {
    const schema = { oneOf: [object({ a: text }), object({ a: text, b: text })] }
    expect(fits(schema, { a: 'x' })).toBe(true)
    expect(fits(schema, { a: 'x', b: 'x' })).toBe(false)
  })

  it('takes any type of an anyOf', () => {
    const schema = object({ value: { anyOf: [text, object({ a: text })] } })
    expect(fits(schema, { value: 'x' })).toBe(true)
    expect(fits(schema, { value: { a: 'x' } })).toBe(true)
    expect(fits(schema, { value: { a: 'x', surplus: 1 } })).toBe(false)
  })

  it.each([
    ['parts that differ', { allOf: [{ type: 'string' }, { type: 'object' }] }, 'differ in type'],
    ['an anyOf of several objects', { anyOf: [object({ a: text }), object({ b: text })] }, 'use oneOf'],
    ['two choices', { anyOf: [text], oneOf: [text] }, 'oneOf beside anyOf'],
  ])('is not made of %s: whoever writes the contract is told', (_what, schema, reason) => {
    expect(() => closed(schema)).toThrow(reason)
  })
})
