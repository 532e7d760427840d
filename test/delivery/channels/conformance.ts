/** What every channel must do. A channel describes itself, and gets the same tests as all the others. */
import { afterAll, beforeAll, describe } from 'vitest'
import { describeAsking } from './conformance/asking.ts'
import { describeReports } from './conformance/reports.ts'
import { type ChannelDescription, type Scene, setScene } from './conformance/scene.ts'
import { describeProvider, describeSending } from './conformance/sending.ts'
import { describeSettings } from './conformance/settings.ts'
import { describeSignatures } from './conformance/signatures.ts'
import { describeToken } from './conformance/token.ts'

export function describeChannel(description: ChannelDescription): void {
  describe(`the channel ${description.name}`, () => {
    const scene = {} as Scene
    const closers: (() => Promise<void>)[] = []
    beforeAll(() => setScene(description, scene, closers))
    afterAll(async () => {
      for (let closer = closers.pop(); closer; closer = closers.pop()) await closer()
    })
    describeSettings(description, scene)
    if (description.provider) {
      describeSending(description.provider, scene)
      describeProvider(description.provider, scene)
      describeAsking(description.provider, scene)
    }
    if (description.proof === 'token') describeToken(scene)
    else describeSignatures(description, scene)
    describeReports(description, scene)
  })
}
