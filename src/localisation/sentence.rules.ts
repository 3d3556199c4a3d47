/** A name at the end of a sentence: 'Ada P.' has its full stop already. */
export const endOf = (name: string): string => (name.endsWith('.') ? name : `${name}.`)
