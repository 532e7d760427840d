/** What came of a driver's calls, as it read them through the types that its generator made. */
export interface Outcome {
  sent: string
  repeated: 'the same answer' | 'another answer'
  wrongCode: string
  rightCode: string
  message: string
  notification: string
  invalidPhone: string
  missingVariable: string
  unknownKey: string
  unknownVerification: string
  tooSoon: string
  /** What its user is told, by the code and after a look at the status. */
  advice: string
}
