/** What came of a driver's calls, as it read them through the types that its generator made. */
export interface Outcome {
  sent: string
  repeated: 'the same answer' | 'another answer'
  wrongCode: string
  rightCode: string
  message: string
  listed: 'there' | 'missing'
  notification: string
  invalidPhone: string
  missingVariable: string
  unknownKey: string
  unknownVerification: string
  tooSoon: string
  /** What its user is told, by the code and after a look at the status. */
  advice: string
}

/** What comes of them at a service with its usual settings. */
export const expected: Outcome = {
  sent: 'sent for 600 seconds',
  repeated: 'the same answer',
  wrongCode: 'incorrect_code, 4 left',
  rightCode: 'verified',
  message: 'sent',
  listed: 'there',
  notification: 'queued',
  invalidPhone: 'invalid_request: /phone wrong_format',
  missingVariable: 'invalid_variables: /variables/name missing',
  unknownKey: 'invalid_api_key',
  unknownVerification: 'verification_not_found',
  tooSoon: 'resend_cooldown: 60 seconds',
  advice: 'wait a minute',
}
