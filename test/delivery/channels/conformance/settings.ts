/** What is configured of a channel. */
import { expect, it } from 'vitest'
import { type ChannelDescription, expectSilent, type Scene } from './scene.ts'

export function describeSettings({ kind }: ChannelDescription, scene: Scene): void {
  it('takes its own settings, and no member more', () => {
    expect(kind.settings.safeParse(scene.entry).success).toBe(true)
    expect(kind.settings.safeParse({ ...scene.entry, surplus: 1 }).success).toBe(false)
  })

  it('names all that is secret of them', () => {
    const telling = Object.entries(scene.entry).filter(([name]) => !kind.secrets.includes(name))
    expectSilent(telling, scene)
    expect(Object.keys(scene.entry)).toEqual(expect.arrayContaining([...kind.secrets]))
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
