/** Measures how long the service takes to start on the embedded database, and the memory it takes then. */
import { join } from 'node:path'
import { median } from './figure.ts'
import type { Service } from './service.ts'
import type { Setting } from './setting.ts'

export interface Start {
  of: string
  /** On a folder that is not there yet. */
  firstMs: number
  /** On that folder again. */
  laterMs: number
  firstMb: number
  laterMb: number
}

export async function measureStart({ services, rounds, folder }: Setting): Promise<Start[]> {
  const found: Omit<Start, 'of'>[][] = services.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, service] of services.entries()) {
      found[index]!.push(await startTwice(service, join(folder, `${service.slug}-embedded-${round}`)))
    }
  }
  return services.map((service, index) => {
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
