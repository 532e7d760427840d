/** Attacks, as they are seen: made-up numbers, or rented ones, that somebody earns from. */
import { anyAddress, type PlayedSend } from './honest.ts'
import { phoneIn, placeOf } from './place.ts'
import type { Chance } from './random.ts'

export interface Pattern {
  name: string
  about: string
  /** The rules are to stop it: nine of ten after the first fifty. */
  isGoal: boolean
  /** A country of which nobody came in the week before. */
  quiet?: string
  /** @param begin of the day on which it comes (UTC), in milliseconds of Unix time */
  sends: (chance: Chance, begin: number) => PlayedSend[]
}

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const morning = 9 * hourMs

export const patterns: readonly Pattern[] = [
  {
    name: 'counting',
    about: 'numbers counting up in one prefix, one every three seconds',
    isGoal: true,
    sends: (chance, begin) =>
      list(1500, (index) =>
        attack(chance, {
          at: begin + morning + index * 3 * secondMs,
          country: 'LK',
          phone: `+9477123${String(1000 + index)}`,
        }),
      ),
  },
  {
    name: 'prefixes',
    about: 'one random number in each of 500 prefixes of a country with little traffic',
    isGoal: true,
    sends: (chance, begin) =>
      list(500, (index) =>
        attack(chance, {
          at: begin + morning + index * 8 * secondMs,
          country: 'UZ',
          phone: `+99890${String(100 + index)}${chance.digits(4)}`,
        }),
      ),
  },
  {
    name: 'addresses',
    about: 'many keys and many addresses, random numbers of three countries',
    isGoal: true,
    sends: (chance, begin) =>
      list(1500, (index) => {
        const place = placeOf(['LK', 'UZ', 'AZ'][index % 3]!)
        const at = begin + morning + index * 5 * secondMs
        return attack(chance, { at, country: place.country, phone: phoneIn(place, chance) })
      }),
  },
  {
    name: 'slow',
    about: 'six an hour for a day, random numbers of one country',
    isGoal: true,
    sends: (chance, begin) =>
      list(144, (index) => {
        const at = begin + index * 10 * minuteMs
        return attack(chance, { at, country: 'AZ', phone: phoneIn(placeOf('AZ'), chance) })
      }),
  },
  {
    name: 'burst',
    about: 'a burst of ten minutes to a country without users for a week',
    isGoal: true,
    quiet: 'KG',
    sends: (chance, begin) =>
      list(1200, (index) => {
        const at = begin + morning + (index * secondMs) / 2
        return attack(chance, { at, country: 'KG', phone: phoneIn(placeOf('KG'), chance) })
      }),
  },
  {
    name: 'resends',
    about: 'again and again to twenty numbers of the main country, as often as the limits of a phone allow',
    isGoal: false,
    sends: (chance, begin) => {
      const phones = list(20, () => phoneIn(placeOf('DE'), chance))
      return list(400, (index) => {
        const round = Math.floor(index / phones.length)
        const at = begin + morning + round * 6.5 * minuteMs + (index % phones.length) * secondMs
        return attack(chance, { at, country: 'DE', phone: phones[index % phones.length]! })
      })
    },
  },
  {
    name: 'answering',
    about: 'random numbers of one country, by a pumper who answers every tenth code',
    isGoal: false,
    sends: (chance, begin) =>
      list(1000, (index) => ({
        ...attack(chance, {
          at: begin + morning + index * 10 * secondMs,
          country: 'AZ',
          phone: phoneIn(placeOf('AZ'), chance),
        }),
        verifiedAfter: index % 10 === 0 ? 20 * secondMs : undefined,
      })),
  },
]

/** Each from another address, of another user. */
function attack(chance: Chance, given: Pick<PlayedSend, 'at' | 'phone' | 'country'>): PlayedSend {
  const user = `user-${chance.digits(9)}`
  return { ...given, ip: anyAddress(chance), user, verifiedAfter: undefined, isHonest: false }
}

function list<Item>(length: number, item: (index: number) => Item): Item[] {
  return Array.from({ length }, (_, index) => item(index))
}
