/** What is configured of a channel. */
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type ConnectionField, secretNames } from '../../../../src/domain/channels/connectionField.ts'
import { type ChannelDescription, expectSilent, type Scene } from './scene.ts'

export function describeSettings({ kind, notFilledIn = [] }: ChannelDescription, scene: Scene): void {
  it('takes its own settings, and no member more', () => {
    expect(kind.settings.safeParse(scene.entry).success).toBe(true)
    expect(kind.settings.safeParse({ ...scene.entry, surplus: 1 }).success).toBe(false)
  })

  it('names all that is secret of them', () => {
    const telling = Object.entries(scene.entry).filter(
      ([name]) => !secretNames(kind.fields(scene.entry)).includes(name),
    )
    expectSilent(telling, scene)
    expect(Object.keys(scene.entry)).toEqual(expect.arrayContaining(secretNames(kind.fields(scene.entry))))
  })

  it('says all of them as fields that people fill in, and which of them may be left out', () => {
    const fields = kind.fields(scene.entry)
    const schema = z.toJSONSchema(kind.settings, { io: 'input', unrepresentable: 'any' })
    const { properties = {}, required = [], additionalProperties } = schema
    const isNamed =
      (member: string) =>
      ({ name }: ConnectionField) =>
        name === member || name.startsWith(`${member}.`)
    for (const member of Object.keys(properties).filter((name) => !notFilledIn.includes(name))) {
      const own = fields.filter(isNamed(member))
      expect(own.length, member).toBeGreaterThan(0)
      for (const { name, optional = false } of own) expect(optional, name).toBe(!required.includes(member))
    }
    // Where a member says which others there are, the schema does not have them.
    const others = additionalProperties === false ? [] : Object.keys(scene.entry)
    for (const { name, optional } of fields) {
      if (!optional || others.length === 0)
        expect([...Object.keys(properties), ...others], name).toContain(name.split('.')[0])
    }
    for (const member of others) expect(fields.filter(isNamed(member)).length, member).toBeGreaterThan(0)
  })

  it('says what is wrong with them without the values', () => {
    const odd = (value: string) => [`${value} \u0000`, { value }, [[value]], 1, null]
    for (const name of Object.keys(scene.entry)) {
      for (const value of [scene.tokens[0] ?? 'a', 'x'.repeat(5000)].flatMap(odd)) {
        const { success, error } = kind.settings.safeParse({ ...scene.entry, [name]: value })
        expect(success, name).toBe(false)
        expectSilent(
          error!.issues.map(({ message, path }) => [message, path[0]]),
          scene,
        )
      }
    }
  })
}
