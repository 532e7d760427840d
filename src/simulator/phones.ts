/** The phones, and what each was handed. Of very many hand-overs, the oldest are forgotten. */
import type { Status, WireName } from './faults.ts'

const metMax = 1000

export interface Content {
  code?: string
  template?: string
  language?: string
  parameters?: string[]
  /** As the phone shows it. */
  text: string
}

/** What a provider was asked to bring to a phone. */
export interface Draft {
  wire: WireName
  /** The provider's id for the message. */
  id: string
  phone: string
  /** What the sender calls it, in its own words. */
  reference: string | undefined
  content: Content
  /** WhatsApp: the `phone_number_id` that sent it; Telegram and SMS: the address that its reports go to. */
  origin: string | undefined
  /** SMS: the name of the provider. */
  provider?: string
}

export interface HandOver extends Draft {
  /** The fault that the phone had for it. */
  fault: string
  /** False for what the provider did not take. */
  taken: boolean
  /** `taken`, the provider's code, or what became of the answer. */
  outcome: string
  at: Date
  statuses: { status: Status; at: Date }[]
  /** What its provider found when it was told what a person typed. */
  verification?: 'code_valid' | 'code_invalid'
}

/** What is told of a hand-over. */
export interface MessageView extends Content {
  id: string
  wire: WireName
  provider: string | null
  reference: string | null
  /** Which of the sender's tries at another channel it is: what its reference ends with, if that is a number. */
  leg: number | null
  fault: string
  taken: boolean
  outcome: string
  at: string
  statuses: { status: Status; at: string }[]
  verification: string | null
}

export interface PhoneView {
  phone: string
  /** By wire, where it was set; otherwise the number decides. */
  faults: Partial<Record<WireName, string>>
  /** Oldest first, with those that were not taken. */
  messages: MessageView[]
}

interface Phone {
  phone: string
  faults: Partial<Record<WireName, string>>
  handOvers: HandOver[]
  /** The names of messages that were refused once. */
  met: Set<string>
}

export interface PhonesParts {
  /** Hand-overs that are kept, of all phones together. */
  keepMax: number
  now: () => Date
  /** Called when there is something new to see. */
  onChange: () => void
  onTake: (handOver: HandOver) => void
}

export class Phones {
  readonly #parts: PhonesParts
  /** The one that got something last comes last. */
  readonly #phones = new Map<string, Phone>()
  /** Oldest first. */
  readonly #kept = new Set<HandOver>()
  readonly #taken = new Map<string, HandOver>()
  readonly #counts = { taken: 0, refused: 0 }

  constructor(parts: PhonesParts) {
    this.#parts = parts
  }

  take(draft: Draft, fault: string): HandOver {
    this.#counts.taken++
    const handOver = this.#keep({ ...draft, fault, taken: true, outcome: 'taken', at: this.#parts.now(), statuses: [] })
    // One that comes again under its id is one more for the phone, and the one that is meant from now on.
    this.#taken.set(handOver.id, handOver)
    this.#parts.onTake(handOver)
    return handOver
  }

  /** Remembers what was asked of the provider and not taken. @param outcome its code, or what became of the answer */
  refuse(draft: Draft, fault: string, outcome: string): void {
    this.#counts.refused++
    this.#keep({ ...draft, fault, taken: false, outcome, at: this.#parts.now(), statuses: [] })
  }

  /** @returns the message that was taken under that id */
  find(id: string): HandOver | undefined {
    return this.#taken.get(id)
  }

  mark(handOver: HandOver, status: Status): void {
    handOver.statuses.push({ status, at: this.#parts.now() })
    this.#parts.onChange()
  }

  verify(handOver: HandOver, verification: NonNullable<HandOver['verification']>): void {
    handOver.verification = verification
    this.#parts.onChange()
  }

  /** Whether this is the first time that a message, if it has a name, is sent to the phone. */
  isFirst(phone: string, name: string): boolean {
    const { met } = this.#phone(phone)
    if (met.has(name)) return false
    if (met.size >= metMax) met.clear()
    met.add(name)
    return true
  }

  /** The name of the fault that was set for the phone; undefined leaves it to its number. */
  faultSet(phone: string, wire: WireName): string | undefined {
    return this.#phones.get(phone)?.faults[wire]
  }

  /** @param fault undefined leaves it to the number again */
  setFault(phone: string, wires: readonly WireName[], fault: string | undefined): void {
    const { faults } = this.#phone(phone)
    for (const wire of wires) {
      delete faults[wire]
      if (fault !== undefined) faults[wire] = fault
    }
    this.#parts.onChange()
  }

  view(phone: string): PhoneView {
    return viewOf(this.#phones.get(phone) ?? { phone, faults: {}, handOvers: [] })
  }

  views(): PhoneView[] {
    return Array.from(this.#phones.values(), viewOf)
  }

  /** The phones that got something last, the newest first, each with its last messages. */
  newest(phonesMax: number, messagesMax: number): PhoneView[] {
    const newest = Array.from(this.#phones.values()).slice(-phonesMax).reverse()
    return newest.map((phone) => viewOf({ ...phone, handOvers: phone.handOvers.slice(-messagesMax) }))
  }

  /** Forgets one phone with its faults; all of them when none is named. */
  forget(phone?: string): void {
    for (const handOver of this.#kept) if (phone === undefined || handOver.phone === phone) this.#drop(handOver)
    if (phone === undefined) this.#phones.clear()
    else this.#phones.delete(phone)
    this.#parts.onChange()
  }

  /** Of all that was ever asked. */
  counts() {
    return { phones: this.#phones.size, ...this.#counts }
  }

  #phone(phone: string): Phone {
    const found = this.#phones.get(phone) ?? { phone, faults: {}, handOvers: [], met: new Set() }
    this.#phones.delete(phone)
    this.#phones.set(phone, found)
    return found
  }

  #keep(handOver: HandOver): HandOver {
    this.#phone(handOver.phone).handOvers.push(handOver)
    this.#kept.add(handOver)
    if (this.#kept.size > this.#parts.keepMax) for (const oldest of this.#kept.values().take(1)) this.#drop(oldest)
    this.#parts.onChange()
    return handOver
  }

  #drop(handOver: HandOver): void {
    this.#kept.delete(handOver)
    if (this.#taken.get(handOver.id) === handOver) this.#taken.delete(handOver.id)
    const owner = this.#phones.get(handOver.phone)
    // What is oldest of all is oldest of its phone.
    owner?.handOvers.shift()
    if (owner?.handOvers.length === 0 && Object.keys(owner.faults).length === 0) this.#phones.delete(handOver.phone)
  }
}

function viewOf({ phone, faults, handOvers }: Omit<Phone, 'met'>): PhoneView {
  return { phone, faults: { ...faults }, messages: handOvers.map(messageView) }
}

export function messageView(handOver: HandOver): MessageView {
  const { id, wire, provider = null, reference = null, content } = handOver
  const { fault, taken, outcome, at, statuses, verification = null } = handOver
  const leg = /[/.](\d{1,4})$/.exec(reference ?? '')?.[1]
  return {
    id,
    wire,
    provider,
    reference,
    leg: leg === undefined ? null : Number(leg),
    ...content,
    fault,
    taken,
    outcome,
    at: at.toISOString(),
    statuses: statuses.map((one) => ({ status: one.status, at: one.at.toISOString() })),
    verification,
  }
}
