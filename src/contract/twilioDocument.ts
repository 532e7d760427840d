/** The wire of Twilio Verify as the running process reads it. */
import contract from '../../generated/twilio-verify/contract.json' with { type: 'json' }
import type { components, operations } from '../../generated/twilio-verify/types.ts'
import { type ContractDocument, listFacts } from './facts.ts'

export { contract as twilioContract }

export type TwilioOperationId = keyof operations

/** Every operation, in the contract's order. */
export const twilioFacts = listFacts<TwilioOperationId>(contract as ContractDocument)

const { Channel: channels, ErrorNumber: numbers, UpdateVerificationForm: update } = contract.components.schemas

export type TwilioChannel = components['schemas']['Channel']

/** The kinds of connections that each channel stands for; a channel that is not here stands for all. */
export const kindsOfChannel: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(channels['x-kinds']).map(([channel, kinds]) => [channel, new Set(kinds)]),
)

/** The number of each error of our own contract that Twilio has one for, by its code. */
export const errorNumbers: ReadonlyMap<string, number> = new Map(Object.entries(numbers['x-numbers']))

/** The HTTP status of numbers that Twilio answers with another one than this service does. */
export const otherStatuses: ReadonlyMap<number, number> = new Map(
  Object.entries(numbers['x-statuses']).map(([number, status]) => [Number(number), status]),
)

/** The scope that the end of a verification needs beside that of the operation; undefined for none. */
export const scopesOfEnds: Readonly<Record<string, string | undefined>> = update.properties.Status['x-scopes']
