/** A UUID in the lower-case form that PostgreSQL writes; a part for larger patterns. */
export const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const WHOLE = new RegExp(`^${UUID}$`)

export const isUuid = (text: string): boolean => WHOLE.test(text)
