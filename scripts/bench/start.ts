/** Measures how long the service takes to start on the embedded database, and the memory it takes then. */
import { join } from 'node:path'
import { median } from './figure.ts'
import type { Bench } from './requests.ts'
import type { Service } from './service.ts'

export interface Start {
  of: string
  /** On a folder that is not there yet. */
  firstMs: number
  /** On that folder again. */
  laterMs: number
  firstMb: number
  laterMb: number
}

export async function measureStart(bench: Bench): Promise<Start[]> {
  const found: Omit<Start, 'of'>[][] = bench.services.map(() => [])
  for (let round = 0; round < bench.rounds; round++) {
    for (const [index, service] of bench.services.entries()) {
      found[index]!.push(await startTwice(service, join(bench.folder, `${service.slug}-embedded-${round}`)))
    }
  }
  return bench.services.map((service, index) => {
    const of = (name: keyof Omit<Start, 'of'>) => median(found[index]!.map((start) => start[name]))
    return {
      of: service.name,
      firstMs: of('firstMs'),
      laterMs: of('laterMs'),
      firstMb: of('firstMb'),
      laterMb: of('laterMb'),
    }
  })
}

async function startTwice(service: Service, dataDir: string): Promise<Omit<Start, 'of'>> {
  const first = await service.startEmbedded(dataDir)
  await first.end('SIGTERM')
  const later = await service.startEmbedded(dataDir)
  await later.end('SIGTERM')
  return { firstMs: first.readyMs, laterMs: later.readyMs, firstMb: first.restMb, laterMb: later.restMb }
}
