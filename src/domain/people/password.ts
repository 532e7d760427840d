/** Passwords: what is kept of one, and whether it is the right one. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createPlaces, type Places } from '../../kit/places.ts'
import { unavailable } from '../../kit/problem.ts'
import { Refusal } from '../../kit/refusal.ts'
import { isCommonPassword } from './commonPasswords.ts'

/**
 * Who is behind a password: strangers, of whom there can be any number, or those who are signed in, hold a link, or come with a
 * browser that somebody has signed in with before.
 */
export type Asker = 'stranger' | 'known'

/**
 * Takes as long for a user that there is not.
 *
 * @param kept what `hash` gave; undefined when there is none, and no password is right
 */
export type IsRight = (password: string, kept: string | undefined) => Promise<boolean>

export interface Passwords {
  /**
   * For who is signed in, or holds a link.
   *
   * @returns argon2id with its parameters and salt, as a PHC string
   * @throws Refusal when it is too short or too long, or many people use it; Problem `service_unavailable` when too many ask at once
   */
  hash: (password: string) => Promise<string>
  /**
   * Has a place kept while something is done that looks at a password. Waits for one for ten seconds.
   *
   * @throws Problem `service_unavailable` when none came free, or too many such wait, and then does nothing
   */
  admit: <T>(asker: Asker, work: (isRight: IsRight) => Promise<T>) => Promise<T>
}

interface Cost {
  /** KiB. */
  memory: number
  passes: number
  parallelism: number
}

/** RFC 9106 with the least memory that OWASP's cheat sheet lets pass: some 50 ms of a core. */
const cost: Cost = { memory: 19 * 1024, passes: 2, parallelism: 1 }
const saltBytes = 16
const tagBytes = 32
const charactersMin = 12
const bytesMax = 1024
/** At once in a process: each holds a thread and 19 MiB. */
const atOnceMax = 2
/** Of strangers, and of the others: more of them are kept from the database. */
const placesMax = atOnceMax + 40
/** Of each of them, so many more are in line for a place, for so many milliseconds: about as long as those before them take. */
const [lineMax, lineMs] = [400, 10_000]

export type Derive = (password: Uint8Array, salt: Uint8Array, cost: Cost) => Promise<Uint8Array>

/** @param derive argon2id; another one in tests that count */
export function createPasswords(derive: Derive = argon2id): Passwords {
  const { admit, inTurn } = createTurns()
  // Nobody has its password: it is only worked on.
  const nobodys = formatPhc({ cost, salt: randomBytes(saltBytes), tag: randomBytes(tagBytes) })

  return {
    hash: async (password) => {
      const bytes = requirePassword(password)
      const salt = randomBytes(saltBytes)
      const tag = await admit('known', () => inTurn('known', () => derive(bytes, salt, cost)))
      return formatPhc({ cost, salt, tag })
    },
    admit: (asker, work) =>
      admit(asker, () =>
        work(async (password, kept) => {
          const bytes = toBytes(password)
          // Nobody's is as long.
          if (!bytes) return false
          const { tag, salt, cost } = readPhc(kept ?? nobodys)
          const found = await inTurn(asker, () => derive(bytes, salt, cost))
          return timingSafeEqual(found, tag) && kept !== undefined
        }),
      ),
  }
}

const derive = promisify(argon2)

async function argon2id(message: Uint8Array, nonce: Uint8Array, cost: Cost): Promise<Uint8Array> {
  return derive('argon2id', { message, nonce, tagLength: tagBytes, ...cost })
}

function requirePassword(password: string): Uint8Array {
  const bytes = toBytes(password)
  if (!bytes) throw new Refusal(`A password can have at most ${bytesMax} bytes.`)
  if (Array.from(password.normalize('NFKC')).length < charactersMin) {
    throw new Refusal(`A password needs at least ${charactersMin} characters.`)
  }
  if (isCommonPassword(password))
    throw new Refusal('Many people use this password, so it is easy to guess. Choose another one.')
  return bytes
}

/** The same for the same letters, however a keyboard composes them. @returns undefined when it can be nobody's */
function toBytes(password: string): Uint8Array | undefined {
  if (password.length > bytesMax || !password.isWellFormed()) return undefined
  const bytes = Buffer.from(password.normalize('NFKC'))
  return bytes.length > bytesMax ? undefined : bytes
}

interface Kept {
  cost: Cost
  salt: Uint8Array
  tag: Uint8Array
}

function formatPhc({ cost: { memory, passes, parallelism }, salt, tag }: Kept): string {
  const [saltText, tagText] = [salt, tag].map((bytes) => Buffer.from(bytes).toString('base64').replaceAll('=', ''))
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${saltText}$${tagText}`
}

function readPhc(text: string): Kept {
  const [, memory, passes, parallelism, salt = '', tag = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/-]+)\$([\w+/-]+)$/.exec(text) ?? []
  if (memory === undefined) throw new Error('what is kept of a password cannot be read')
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

/** Work a few at a time, in turn: now one of a stranger, now one of the others, so that no crowd of the ones keeps out the others. */
function createTurns() {
  let running = 0
  let last: Asker = 'stranger'
  const newPlaces = () => createPlaces(() => placesMax)
  const places: Record<Asker, Places> = { stranger: newPlaces(), known: newPlaces() }
  /** In a place or in line. */
  const within: Record<Asker, number> = { stranger: 0, known: 0 }
  const waiting: Record<Asker, (() => void)[]> = { stranger: [], known: [] }

  /** The place goes to the next one. */
  const passOn = (): void => {
    const other = last === 'stranger' ? 'known' : 'stranger'
    const from = waiting[other].length > 0 ? other : last
    const next = waiting[from].shift()
    last = from
    if (next) next()
    else running -= 1
  }

  return {
    /** @throws Problem `service_unavailable` when too many are there and wait, or none of them goes in time */
    admit: async <T>(asker: Asker, work: () => Promise<T>): Promise<T> => {
      if (within[asker] >= placesMax + lineMax) throw unavailable()
      within[asker] += 1
      try {
        return await inPlace(places[asker], work)
      } finally {
        within[asker] -= 1
      }
    },
    /** Of who was admitted. */
    inTurn: async <T>(asker: Asker, work: () => Promise<T>): Promise<T> => {
      if (running >= atOnceMax) await new Promise<void>((resolve) => void waiting[asker].push(resolve))
      else running += 1
      try {
        return await work()
      } finally {
        passOn()
      }
    },
  }
}

/** @throws Problem `service_unavailable` when no place came free in time */
async function inPlace<T>(places: Places, work: () => Promise<T>): Promise<T> {
  if (!(await places.take(lineMs))) throw unavailable()
  try {
    return await work()
  } finally {
    places.free()
  }
}
