/** A header that holds several values by their names, as in `t=1795551939,v1=2b0c…,v1=77aa…`. */

/** More than anybody signs with at once. */
const membersMax = 20

/** @returns the values of a name in lower case, in their order; one name may be there several times */
export function headerMembers(header: string | undefined, name: string): string[] {
  const members = header === undefined ? [] : header.split(',', membersMax).map((text) => text.trim())
  return members.filter((text) => text.toLowerCase().startsWith(`${name}=`)).map((text) => text.slice(name.length + 1))
}
