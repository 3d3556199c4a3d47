/** Adds a full stop to a name at the end of a sentence, unless the name has one: 'Ada P.'. */
export const endOf = (name: string): string => (name.endsWith('.') ? name : `${name}.`)
