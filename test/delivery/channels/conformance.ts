/** What every channel must do. A channel describes itself, and gets the same tests as all the others. */
import { afterAll, beforeAll, describe } from 'vitest'
import { describeParsing, describeReports } from './conformance/reports.ts'
import { type ChannelDescription, type Scene, setScene } from './conformance/scene.ts'
import { describeProvider, describeSending } from './conformance/sending.ts'
import { describeSignatures } from './conformance/signatures.ts'

export function describeChannel(description: ChannelDescription): void {
  describe(`the channel ${description.name}`, () => {
    const scene = {} as Scene
    const closers: (() => Promise<void>)[] = []
    beforeAll(() => setScene(description, scene, closers))
    afterAll(async () => {
      for (let closer = closers.pop(); closer; closer = closers.pop()) await closer()
    })
    const send = describeSending(description, scene)
    if (description.outcomes) describeProvider(description.outcomes, scene, send)
    describeSignatures(scene)
    describeParsing(scene)
    describeReports(scene)
  })
}
