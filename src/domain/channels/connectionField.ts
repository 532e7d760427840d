/** What people fill in for a connection: the settings of a kind, as fields of a form. */

export interface ConnectionField {
  /** The member of the entry. A dot leads into a mapping: `code_template.name`. */
  name: string
  /** What people call it. */
  title: string
  /** What it is, or where to find it, in a sentence or two. */
  about: string
  /** A value that it could have. */
  example?: string
  /** It is encrypted in the database and never shown again. Only members of the entry itself can be. */
  secret?: true
  /** It may be left out. */
  optional?: true
  /** What counts when it is left out. */
  standard?: string
  /**
   * One line of text when left out. `pair`: a text, or a list of two while it is replaced. `list`: a text, or a list of
   * some. `map`: a text for each key.
   */
  form?: 'number' | 'pair' | 'list' | 'map' | 'long'
  /** The only values that it can have, each with its meaning; the value itself where that says enough. */
  choices?: readonly { value: string; label: string }[]
  /** Which other fields there are depends on it: it is filled in first. */
  first?: true
  /** It says where messages go. Who changes it enters the secrets again, or they would go to a stranger unseen. */
  leads?: true
}

/** @returns the members that are sealed in the database and never shown again */
export function secretNames(fields: readonly ConnectionField[]): string[] {
  return fields.filter(({ secret }) => secret).map(({ name }) => name)
}
