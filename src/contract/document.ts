/** The bundled contract as the running process reads it: facts of operations that are not types. */
import contract from '../../generated/contract.json' with { type: 'json' }
import type { components } from '../../generated/types.ts'
import { type ContractDocument, listFacts } from './facts.ts'
import type { OperationId } from './operation.ts'

export { contract }

export const bodyBytesMax: number = contract['x-max-body-bytes']

/** Every operation, in the contract's order. */
export const operationFacts = listFacts<OperationId>(contract as ContractDocument)

const keys: { 'x-scopes': Readonly<Record<string, string>>; 'x-optional-scopes'?: readonly string[] } =
  contract.components.securitySchemes.bearerAuth

/** What each scope lets a key do, in a sentence. */
export const scopeMeanings = keys['x-scopes']

/** A key has one of these only if it was chosen for that key. */
export const extraScopes = keys['x-optional-scopes'] ?? []

/** A key has all of these, unless it was made for less. */
export const scopes: readonly string[] = Object.keys(scopeMeanings).filter((scope) => !extraScopes.includes(scope))

/** All that a key can have. */
export const allScopes = [...scopes, ...extraScopes]

const ttl = contract.components.schemas.SentVerification.properties.expires_in

/** Seconds that a code may be made to stay valid. */
export const codeTtlRange = { min: ttl.minimum, max: ttl.maximum }

const { template: slug, variables } = contract.components.schemas.SendNotificationRequest.properties

/** The form of a template's slug. */
export const slugForm = { pattern: new RegExp(slug.pattern, 'u'), maxLength: slug.maxLength }

/** Variables that a template may name. */
export const variablesMax = variables.maxProperties

/** Characters (code points) that a template may have once it is filled. */
export const filledCharactersMax = variables['x-max-filled-characters']

const { length, brand_name: brand } = contract.components.schemas.SendVerificationRequest.properties
const { domain, app_hash: appHash } = contract.components.schemas.Autofill.properties

/** Digits that a code may have which is made here. */
export const codeLengthRange = { min: length.minimum, max: length.maximum }

/** Digits of a code where the caller names no number of them. */
export const codeLengthStandard: number = length.default

/** Of a host that codes are bound to where keys or inlets are for tests: also `localhost`. */
export const trialHostForm = { pattern: new RegExp(domain.pattern, 'u'), maxLength: domain.maxLength }
/** The same for all sends of an account, or of a live inlet. */
export const hostForm = {
  pattern: new RegExp(`^(?!localhost$)${domain.pattern.slice(1)}`, 'u'),
  maxLength: domain.maxLength,
}
/** The form of an application's name, and of the mark that Android knows one by. */
export const brandForm = {
  pattern: new RegExp(brand['x-ecma-pattern'], 'u'),
  maxLength: brand.maxLength,
  /** What a brand is: the end of a sentence. */
  words: brand['x-pattern-words'].replace(/^must be a name of/, `${brand.minLength} to ${brand.maxLength}`),
}
export const appHashForm = { pattern: new RegExp(appHash.pattern, 'u'), maxLength: appHash.maxLength }

/** Every code of an error, in the contract's order. */
export const knownErrorCodes = contract.components.schemas.ErrorCode
  .enum as readonly components['schemas']['ErrorCode'][]
