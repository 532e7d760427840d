import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below those that the system gives to connections, and to listeners that leave it to the system. */
const ports = { min: 11_000, max: 32_000 }
const triesMax = 100

/** A port that nobody listens on now, and that nobody gets who does not ask for it by its number. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < triesMax; tries++) {
    const port = randomInt(ports.min, ports.max)
    if (await isFree(port)) return port
  }
  throw new Error(`no port is free of ${triesMax}`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
