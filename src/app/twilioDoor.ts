/** Puts the door together that speaks the wire of Twilio Verify. It does all with the same services as the API's own door. */
import type { RequestListener } from 'node:http'
import type { Authentication } from '../domain/access/authentication.ts'
import type { AddressOf } from '../http/api/address.ts'
import { type ApiParts, createApi } from '../http/api/api.ts'
import { bindContract } from '../http/api/binding.ts'
import { createResponseGuard } from '../http/api/guard.ts'
import { createPipeline, type PipelineParts } from '../http/api/pipeline.ts'
import { byBasicKey } from '../http/twilio/basicKey.ts'
import { twilioOperations } from '../http/twilio/operations/index.ts'
import { createTwilioWire } from '../http/twilio/wire.ts'

export interface TwilioDoorParts
  extends Pick<PipelineParts, 'throttle' | 'services' | 'intake'>,
    Pick<ApiParts, 'before' | 'runtime' | 'isStopping' | 'onAnswer'> {
  authenticate: Authentication['authenticate']
  addressOf: AddressOf
  production: boolean
}

export async function createTwilioDoor(parts: TwilioDoorParts): Promise<RequestListener> {
  const { authenticate, addressOf, production, throttle, services, intake, ...rest } = parts
  const wire = createTwilioWire(addressOf)
  const pipeline = createPipeline({
    wire,
    findRoute: await bindContract({ wire, handlers: twilioOperations, authenticate: byBasicKey(authenticate) }),
    throttle,
    services,
    intake,
    unhandled: ({ operationId }) => {
      throw new Error(`there is no handler for ${operationId}`)
    },
    guard: production ? undefined : await createResponseGuard({ wire, log: rest.runtime.log }),
  })
  return createApi({ ...rest, wire, pipeline, published: () => undefined })
}
