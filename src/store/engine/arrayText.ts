type Element = string | number | boolean | null | undefined

const needsEscape = /["\\]/

/**
 * A list as PostgreSQL reads arrays. The driver's own way treats each element as if it could be anything, and was a tenth of
 * all that a request allocates.
 */
export function arrayText(list: readonly Element[]): string {
  let text = '{'
  for (let index = 0; index < list.length; index++) {
    const element = list[index]
    if (index > 0) text += ','
    if (element === null || element === undefined) text += 'NULL'
    else if (typeof element !== 'string') text += element
    else text += `"${needsEscape.test(element) ? element.replace(/["\\]/g, '\\$&') : element}"`
  }
  return `${text}}`
}
