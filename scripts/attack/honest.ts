/** Days of people who want to sign in: most come back, some are new, a few give up or ask again. */
import { hourConversion, hourParts, type Place, phoneIn, places } from './place.ts'
import type { Chance } from './random.ts'

export interface PlayedSend {
  /** Milliseconds of Unix time. */
  at: number
  phone: string
  country: string
  ip: string
  user?: string | undefined
  /** Milliseconds until its code is typed in, if it arrives; undefined when nobody types it in. */
  verifiedAfter: number | undefined
  isHonest: boolean
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Of people: who come back, whose code is always typed in but for a few; and who ask again when they gave up. */
const parts = { back: 0.55, backConversion: 0.96, again: 0.4, againConversion: 0.6 }
/** Behind one address of a mobile network, there are many. */
const sharedAddresses = { part: 0.3, count: 60 }

interface Person {
  phone: string
  ip: string
  user: string
}

/** The people of an account, day after day. */
export interface People {
  /** @param begin of the day (UTC) @param isQuiet countries of which nobody comes */
  day: (begin: number, isQuiet?: (country: string) => boolean) => PlayedSend[]
}

export function createHonest(chance: Chance): People {
  const known = new Map<string, Person[]>(places.map(({ country }) => [country, []]))
  return {
    day: (begin, isQuiet = () => false) =>
      places
        .filter(({ country }) => !isQuiet(country))
        .flatMap((place) => Array.from({ length: countOf(place, chance) }, () => visit(place, begin)).flat())
        .toSorted((one, other) => one.at - other.at),
  }

  function visit(place: Place, begin: number): PlayedSend[] {
    const hour = drawHour(chance)
    const at = begin + hour * hourMs + chance.whole(hourMs)
    const people = known.get(place.country)!
    const isBack = people.length > 0 && chance.part() < parts.back
    const person = isBack ? chance.pick(people) : newPerson(place, chance)
    const conversion = isBack ? parts.backConversion : place.conversion * hourConversion(hour)
    const isDone = chance.part() < conversion
    const first = sendOf(place, person, at, isDone ? typedAfter(chance) : undefined)
    if (isDone) {
      if (!isBack) people.push(person)
      return [first]
    }
    if (chance.part() >= parts.again) return [first]
    const isDoneThen = chance.part() < parts.againConversion
    if (isDoneThen && !isBack) people.push(person)
    const again = at + 65_000 + chance.whole(3 * minuteMs)
    return [first, sendOf(place, person, again, isDoneThen ? typedAfter(chance) : undefined)]
  }
}

function sendOf({ country }: Place, person: Person, at: number, verifiedAfter: number | undefined): PlayedSend {
  return { at, country, ...person, verifiedAfter, isHonest: true }
}

function newPerson(place: Place, chance: Chance): Person {
  const shared = chance.part() < sharedAddresses.part
  const ip = shared ? `198.18.${places.indexOf(place)}.${chance.whole(sharedAddresses.count)}` : anyAddress(chance)
  return { phone: phoneIn(place, chance), ip, user: `user-${chance.digits(9)}` }
}

/** One of 10.0.0.0/8, which is private: the networks for documents and tests have too few. */
export function anyAddress(chance: Chance): string {
  return `10.${chance.whole(256)}.${chance.whole(256)}.${chance.whole(256)}`
}

function typedAfter(chance: Chance): number {
  return 8000 + chance.whole(45_000)
}

function countOf({ perDay }: Place, chance: Chance): number {
  // About as often more as less, by up to a fifth.
  return Math.round(perDay * (0.8 + 0.4 * chance.part()))
}

function drawHour(chance: Chance): number {
  let left = chance.part() * hourParts.reduce((sum, part) => sum + part, 0)
  const hour = hourParts.findIndex((part) => {
    left -= part
    return left < 0
  })
  return hour === -1 ? 23 : hour
}
