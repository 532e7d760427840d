/** Judges values by schemas that another rule may find fault with. */
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'

export const ajv = addFormats.default(new Ajv({ strict: false, logger: false }))
