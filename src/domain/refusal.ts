/** A request of the operator that cannot be done as it stands: one sentence that says why, for the one who asked. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
