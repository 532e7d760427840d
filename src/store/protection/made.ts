/**
 * Which sends of a transaction were made: limits may have forbidden some. What is SQL here follows a list `from`, and keeps of its
 * rows those that were made.
 *
 * `lateral` says what is looked up by what. A plan made while a table was known to be empty, as after `analyze`, would else read all
 * of the table for each list, until it is analysed again.
 */
import type { Batch } from '../engine/batch.ts'

/** Of codes: the phone says so. @param g the name of the list, which has the columns of a phone */
export function madeCodes(g: string, id: string): string {
  return lookedUp(
    `phone p where p.account_id = ${g}.account_id and p.mode = ${g}.mode and p.phone = ${g}.phone and p.verification_id = ${g}.${id}`,
  )
}

/** Of any messages: of a text that another system wrote, the phone keeps no id. @param list with their ids in `id` */
export function madeMessages(g: string, list: Pick<Batch<never>, 'inIdRange'>, id: string): string {
  return lookedUp(`message m where m.account_id = ${g}.account_id and m.id = ${g}.${id} and ${list.inIdRange('m.id')}`)
}

function lookedUp(found: string): string {
  return `cross join lateral (select from ${found} offset 0) found`
}
