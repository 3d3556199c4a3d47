import { Failure } from '../../kit/failure.ts'
import { isUuid } from '../../kit/uuid.ts'

// Where a page of a list ended: the sort keys of its last product, opaque to the client.

export type Keys = (string | number)[]
/** What a key must be: a whole number, a text, or the id that stands last. */
export type KeyKind = 'number' | 'text' | 'id'

export const writeCursor = (sort: string, keys: Keys): string =>
  Buffer.from(JSON.stringify([sort, ...keys])).toString('base64url')

/** The keys that `writeCursor` was given. Throws a Failure 400 for a cursor of another sort or not of ours. */
export function readCursor(cursor: string, sort: string, kinds: KeyKind[]): Keys {
  const parts = parse(cursor)
  const [kind, ...keys] = parts
  if (kind !== sort || keys.length !== kinds.length || !keys.every((key, i) => isOf(kinds[i]!, key))) throw refusal()
  return keys as Keys
}

function parse(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(parts)) return parts
  } catch {
    // not ours
  }
  throw refusal()
}

function isOf(kind: KeyKind, key: unknown): boolean {
  if (kind === 'number') return Number.isSafeInteger(key)
  if (typeof key !== 'string') return false
  return kind === 'id' ? isUuid(key) : key.isWellFormed() && !key.includes('\0')
}

const refusal = () =>
  new Failure(400, 'after: This is not a page of this list.', 'invalid', { details: { field: 'after' } })
