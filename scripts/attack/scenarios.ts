/** Honest crowds that look like an attack: everybody is new, or comes at once, or from one address, or gets no code. */
import { anyAddress, type PlayedSend } from './honest.ts'
import { type Place, phoneIn, placeOf } from './place.ts'
import type { Chance } from './random.ts'

export interface Scenario {
  name: string
  about: string
  /** Whether the account has had users before, for 15 days. */
  hasPast: boolean
  /** Milliseconds of the day at which an attack comes into the middle of it. */
  middle: number
  /**
   * All that is sent on the day.
   *
   * @param begin of the day (UTC), in milliseconds of Unix time
   * @param usual what is sent on a day without it; nothing in an account without a past
   */
  sends: (chance: Chance, begin: number, usual: readonly PlayedSend[]) => PlayedSend[]
}

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const morning = 10 * hourMs
/** Of people who are new to a service, the part who type their code in. */
const newConversion = 0.8
const five = ['DE', 'FR', 'GB', 'PL', 'NL'].map(placeOf)

/** Attacks that the rules cannot tell from any of these crowds, with what stops each. */
export const alike: Readonly<Record<string, string>> = { resends: 'the limits of a phone' }

export const scenarios: readonly Scenario[] = [
  {
    name: 'launch',
    about: 'the first ten minutes of a service, from no send to two in a second, in one country',
    hasPast: false,
    middle: morning + 5 * minuteMs,
    sends: (chance, begin) => rising(chance, { from: begin + morning, places: [placeOf('DE')], perSecond: 2 }),
  },
  {
    name: 'launch-five',
    about: 'the same in five countries',
    hasPast: false,
    middle: morning + 5 * minuteMs,
    sends: (chance, begin) => rising(chance, { from: begin + morning, places: five, perSecond: 2 }),
  },
  {
    name: 'rush',
    about: 'the first half minute of a service, five sends a second, in five countries',
    hasPast: false,
    middle: morning + 15 * secondMs,
    sends: (chance, begin) =>
      list(150, (index) => newcomer(chance, five[index % five.length]!, begin + morning + (index * secondMs) / 5)),
  },
  {
    name: 'campaign',
    about: 'ten times the usual for an hour',
    hasPast: true,
    middle: morning + hourMs / 2,
    sends: (chance, begin, usual) => {
      const hour = usual.filter(({ at }) => isWithin(at, begin + morning, hourMs))
      const more = hour.flatMap(({ country }) =>
        list(9, () => newcomer(chance, placeOf(country), begin + morning + chance.whole(hourMs))),
      )
      return inOrder([...usual, ...more])
    },
  },
  {
    name: 'new-country',
    about: 'an account opens a market: ten minutes from no send to one in a second, and that for half an hour',
    hasPast: true,
    middle: morning + 20 * minuteMs,
    sends: (chance, begin, usual) => {
      const market: Place = { country: 'ES', begin: '+346', digits: 8, perDay: 0, conversion: newConversion }
      const opening = rising(chance, { from: begin + morning, places: [market], perSecond: 1 })
      const then = list(1800, (index) => newcomer(chance, market, begin + morning + 10 * minuteMs + index * secondMs))
      return inOrder([...usual, ...opening, ...then])
    },
  },
  {
    name: 'office',
    about: '200 people behind one address in an hour',
    hasPast: true,
    middle: morning + hourMs / 2,
    sends: (chance, begin, usual) => {
      const people = list(200, () => ({
        ...newcomer(chance, chance.pick(five), begin + morning + chance.whole(hourMs)),
        ip: '203.0.113.80',
      }))
      return inOrder([...usual, ...people])
    },
  },
  {
    name: 'outage',
    about: 'a provider delivers nothing for 20 minutes, and of those who wait four in ten ask again',
    hasPast: true,
    middle: morning + 10 * minuteMs,
    sends: (chance, begin, usual) => {
      const isLost = (at: number) => isWithin(at, begin + morning, 20 * minuteMs)
      const lost = usual.filter(({ at }) => isLost(at))
      const again = lost
        .filter(() => chance.part() < 0.4)
        .map((send) => {
          const at = send.at + 65 * secondMs + chance.whole(3 * minuteMs)
          return { ...send, at, verifiedAfter: isLost(at) ? undefined : typedAfter(chance) }
        })
      const others = usual.map((send) => (isLost(send.at) ? { ...send, verifiedAfter: undefined } : send))
      return inOrder([...others, ...again])
    },
  },
]

/** From no send to so many in a second, over ten minutes. */
function rising(
  chance: Chance,
  { from, places, perSecond }: { from: number; places: readonly Place[]; perSecond: number },
): PlayedSend[] {
  const span = 10 * minuteMs
  const count = (perSecond * span) / secondMs / 2
  return list(count, (index) =>
    newcomer(chance, places[index % places.length]!, from + Math.round(span * Math.sqrt(index / count))),
  )
}

function newcomer(chance: Chance, place: Place, at: number): PlayedSend {
  const verifiedAfter = chance.part() < newConversion ? typedAfter(chance) : undefined
  const user = `user-${chance.digits(9)}`
  const { country } = place
  return { at, country, phone: phoneIn(place, chance), ip: anyAddress(chance), user, verifiedAfter, isHonest: true }
}

/** Half of the people take less than 15 seconds to type a code, and one of twenty more than 90. */
function typedAfter(chance: Chance): number {
  const part = chance.part()
  if (part < 0.5) return 4000 + (part / 0.5) * 11_000
  if (part < 0.95) return 15_000 + ((part - 0.5) / 0.45) * 75_000
  return 90_000 + ((part - 0.95) / 0.05) * 90_000
}

function isWithin(at: number, from: number, span: number): boolean {
  return at >= from && at < from + span
}

function inOrder(sends: readonly PlayedSend[]): PlayedSend[] {
  return sends.toSorted((one, other) => one.at - other.at)
}

function list<Item>(length: number, item: (index: number) => Item): Item[] {
  return Array.from({ length }, (_, index) => item(index))
}
