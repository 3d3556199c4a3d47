/** The source of a pattern for lower-case UUIDs, as PostgreSQL writes them. */
export const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const WHOLE = new RegExp(`^${UUID}$`)

export const isUuid = (text: string): boolean => WHOLE.test(text)
