/** Reads the bodies of requests, for every door: each of them is bounded, and so are all that are in memory at once. */
import type { IncomingMessage } from 'node:http'

export interface IntakeLimits {
  /** Of one body. */
  bytesMax: number
  /** Of all bodies that are being read or used. */
  bytesAtOnceMax: number
}

/** Why a body was not read: it is too large, there is no place for it, or it did not come whole. */
export type Unread = 'too_large' | 'busy' | 'cut_off'

/** Whether the head says that the body is too large. */
export function isAnnouncedOver({ headers }: IncomingMessage, bytesMax: number): boolean {
  return Number(headers['content-length']) > bytesMax
}

/**
 * Whether the head says that the body is not compressed. Some senders name a charset there, or nothing: neither changes the bytes.
 */
export function isPlainlyEncoded({ headers }: IncomingMessage): boolean {
  return ['', 'identity', 'utf-8', 'utf8'].includes((headers['content-encoding'] ?? '').trim().toLowerCase())
}

/** Bytes of the body, by the head: `bytesMax` where it does not tell. */
export function announcedBytes({ headers }: IncomingMessage, bytesMax: number): number {
  return Number(headers['content-length'] ?? (headers['transfer-encoding'] === undefined ? 0 : bytesMax))
}

export interface Intake {
  /**
   * Keeps a place for the body until `use` is done with it.
   *
   * @param bytesMax of this body, in place of the limit of the others
   * @returns what `use` does, or why it was not called
   */
  read: <Done>(
    request: IncomingMessage,
    use: (body: Buffer) => Promise<Done>,
    bytesMax?: number,
  ) => Promise<Done | Unread>
}

/** A body that is being read. */
interface Reading {
  /** What there is room for; `length` bytes of it have come. */
  room: Buffer
  length: number
  stop: (why: Unread) => void
}

const noRoom = Buffer.alloc(0)

export function createIntake({ bytesMax: usualMax, bytesAtOnceMax }: IntakeLimits): Intake {
  const space = createSpace(bytesAtOnceMax)

  const whole = (request: IncomingMessage, bytesMax: number): Promise<Reading | Unread> =>
    new Promise((resolve) => {
      // Whoever went away before it was asked for, will not be heard of again.
      if (request.destroyed) return resolve('cut_off')
      if (isAnnouncedOver(request, bytesMax)) {
        request.pause()
        return resolve('too_large')
      }
      const announced = Number(request.headers['content-length'] ?? bytesMax)
      const take = (chunk: Buffer) => {
        const length = reading.length + chunk.length
        if (length > bytesMax) return stop('too_large')
        // Copied, not collected: a body can come in chunks of one byte, each of which takes a hundred times as much.
        const wanted = Math.min(Math.max(length, 2 * reading.room.length), announced, bytesMax)
        if (length > reading.room.length && !space.grow(reading, wanted)) return
        chunk.copy(reading.room, reading.length)
        reading.length = length
      }
      const stop = (why: Unread) => {
        if (!space.readings.delete(reading)) return
        request.off('data', take)
        request.pause()
        space.giveBack(reading)
        resolve(why)
      }
      const reading: Reading = { room: noRoom, length: 0, stop }
      space.readings.add(reading)
      request.on('data', take)
      request.on('end', () => {
        if (space.readings.delete(reading)) resolve(reading)
      })
      request.on('error', () => stop('cut_off'))
      request.on('close', () => stop('cut_off'))
    })

  return {
    read: async (request, use, bytesMax = usualMax) => {
      const reading = await whole(request, bytesMax)
      if (typeof reading === 'string') return reading
      try {
        return await use(reading.room.subarray(0, reading.length))
      } finally {
        space.giveBack(reading)
      }
    },
  }
}

/** What all bodies share. */
function createSpace(bytesMax: number) {
  /** Those that may have to go; who has come whole stays. */
  const readings = new Set<Reading>()
  let bytesTaken = 0
  return {
    readings,
    /** @returns false when there is no place for so much, and the reading has been stopped */
    grow: (reading: Reading, bytes: number): boolean => {
      const more = bytes - reading.room.length
      while (bytesTaken + more > bytesMax) {
        // Those of providers and of people are small: whoever fills this place on purpose has more in it than they have.
        const largest = findLargest(readings)
        largest?.stop('busy')
        if (!largest || largest === reading) return false
      }
      bytesTaken += more
      const room = Buffer.allocUnsafe(bytes)
      reading.room.copy(room, 0, 0, reading.length)
      reading.room = room
      return true
    },
    giveBack: (reading: Reading): void => {
      bytesTaken -= reading.room.length
      reading.room = noRoom
    },
  }
}

function findLargest(readings: Iterable<Reading>): Reading | undefined {
  let largest: Reading | undefined
  for (const reading of readings) if (!largest || reading.room.length > largest.room.length) largest = reading
  return largest
}
