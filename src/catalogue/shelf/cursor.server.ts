import { Failure } from '../../kit/failure.ts'
import { asJson, type JsonText } from '../../kit/handle.server.ts'
import { isUuid } from '../../kit/uuid.ts'

// The cursor of a list: the sort keys of the page's last product, opaque to clients.

export type Keys = (string | number)[]
/** The type of a key: an integer, a text, or the id in last place. */
export type KeyKind = 'number' | 'text' | 'id'

export const writeCursor = (sort: string, keys: Keys): string =>
  Buffer.from(JSON.stringify([sort, ...keys])).toString('base64url')

/** Decodes the keys of a cursor; none for the first page. Throws a Failure 400 for an invalid cursor. */
export function readCursor(cursor: string | undefined, sort: string, kinds: KeyKind[]): Keys {
  if (cursor === undefined) return []
  const parts = parse(cursor)
  const [kind, ...keys] = parts
  if (kind !== sort || keys.length !== kinds.length || !keys.every((key, i) => isOf(kinds[i]!, key))) throw refusal()
  return keys as Keys
}

/** `next` contains the keys of the last row as JSON, or null on the last page. */
export type Page = { json: string; total: number; next: string | null }

/** Builds the response of a list page. `asked` is the query of the next page without its cursor. */
export function asPage({ json, total, next }: Page, sort: string, path: string, asked: object): JsonText {
  const headers = { 'x-total-count': String(total) }
  if (!next) return asJson(json, headers)
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...asked, after: writeCursor(sort, JSON.parse(next) as Keys) }))
    if (value !== undefined) query.set(name, String(value))
  return asJson(json, { ...headers, link: `<${path}?${query}>; rel="next"` })
}

function parse(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(parts)) return parts
  } catch {}
  throw refusal()
}

function isOf(kind: KeyKind, key: unknown): boolean {
  if (kind === 'number') return Number.isSafeInteger(key)
  if (typeof key !== 'string') return false
  return kind === 'id' ? isUuid(key) : key.isWellFormed() && !key.includes('\0')
}

const refusal = () =>
  new Failure(400, 'after: This is not a page of this list.', 'invalid', { details: { field: 'after' } })
