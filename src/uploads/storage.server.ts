import { randomBytes, randomUUID } from 'node:crypto'
import { addAbortSignal, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Failure } from '../kit/failure.ts'
import { fail, type Finding, messageOf, ok } from '../kit/health/finding.rules.ts'
import type { Scan } from './scan.server.ts'

export type Stored = { sizeBytes: number; sha256: string }
/** Both positions are inclusive. */
export type ByteRange = { start: number; end: number }
export type Limits = { maxBytes?: number; isOnce?: boolean }

/** Stores bytes completely or not at all, under keys that the server chooses (an id, 'images/{id}/640.webp'). */
export type Storage = {
  /**
   * Stores the stream and returns its size and hash (hexadecimal). Throws a Failure: 400 empty or interrupted, 409
   * `exists` (only with `isOnce`; otherwise replaces), 413 above `maxBytes`, 507 no room. A failure leaves no bytes and
   * does not destroy the stream.
   */
  put: (key: string, stream: Readable, limits?: Limits) => Promise<Stored>
  open: (key: string, range?: ByteRange) => Promise<{ stream: Readable; sizeBytes: number }>
  /** Returns the size, and the hash if the store knows it; null for an unknown key. */
  find: (key: string) => Promise<{ sizeBytes: number; sha256: string | null } | null>
  /** Stores the bytes of a key under a second key. Absent if that needs a second write; the bytes may be shared. */
  copy?: (from: string, to: string) => Promise<void>
  remove: (key: string) => Promise<void>
  /** Removes old leftovers of crashed writes and abandoned uploads in parts. Returns their number. */
  removeAbandoned: (olderThanMs: number, isOpen?: (uploadId: string) => Promise<boolean>) => Promise<number>
  /** Removes every file of the shop, to start with an empty store. */
  wipe: () => Promise<void>
  parts: PartStorage
  scan?: Scan | undefined
  /** Present if browsers send and fetch bytes directly at the store. */
  direct?: DirectStorage
}

/** `etag` includes its quotes. `sha256` (base64) is null for a part sent without a hash. */
export type Part = { number: number; sizeBytes: number; etag: string; sha256: string | null }
export type NamedPart = Pick<Part, 'number' | 'etag'>

/** Uploads in parts with numbers from 1 to 10,000. Throws a Failure 404 `NoSuchUpload` for an unknown upload. */
export type PartStorage = {
  /** Returns the upload's id. `isChecked`: every part will have a hash. */
  start: (key: string, options?: { contentType?: string | null; isChecked?: boolean }) => Promise<string>
  list: (key: string, uploadId: string) => Promise<Part[]>
  /** Joins the parts under the key. Can be repeated after a crash. Throws a Failure 400 for a missing part. */
  finish: (key: string, uploadId: string, parts: NamedPart[]) => Promise<Stored>
  abort: (key: string, uploadId: string) => Promise<void>
  /** Stores the bytes of a part. Present if the shop itself receives them. */
  put?: (
    key: string,
    uploadId: string,
    number: number,
    stream: Readable,
    options: { maxBytes: number; sha256: string | null },
  ) => Promise<Pick<Part, 'etag'>>
}

export type SignedRequest = { url: string; headers: Record<string, string> }
/** The terms that the signature of a store request fixes. `sha256` is base64. */
export type SignedTerms = {
  seconds: number
  sizeBytes?: number | null
  sha256?: string | null
  contentType?: string | null
}

export type DirectStorage = {
  origin: string
  isRedirecting: boolean
  idOf: (url: string) => string | null
  /** Signs a PUT for the incoming bytes of an upload. `accept` moves them later. */
  signPut: (id: string, terms: SignedTerms) => Promise<SignedRequest>
  signPart: (key: string, uploadId: string, number: number, terms: SignedTerms) => Promise<SignedRequest>
  signGet: (key: string, answer: { seconds: number; contentType: string; disposition: string }) => Promise<string>
  /** Moves incoming bytes to the key `id`, out of reach of browsers. Existing bytes win. Null if there are none. */
  accept: (id: string) => Promise<Stored | null>
}

export async function checkStorage(openStorage: () => Storage | Promise<Storage>): Promise<Finding> {
  const key = `doctor-${randomUUID()}`
  const bytes = randomBytes(1024)
  try {
    const storage = await openStorage()
    try {
      await storage.put(key, Readable.from([bytes]))
      const { stream } = await storage.open(key)
      if (!bytes.equals(await buffer(stream))) throw new Error('what was read is not what was written')
    } finally {
      await storage.remove(key)
    }
    return ok('files', 'written, read and removed')
  } catch (error) {
    return fail('files', messageOf(error), 'make DATA_DIR/objects writable for this user, and room on its disk')
  }
}

const CUT_OFF = new Failure(500, 'The stored file is too short.', 'cut_off')
const UNREAD = new Failure(503, 'We couldn’t read the file. Please try again in a moment.', 'busy', { retryAfter: 5 })

/**
 * Reads the first `length` bytes of a file. Throws a Failure: 503 if opening and reading take longer than `limitMs`, 500 for
 * a file with fewer bytes.
 */
export async function readStart(
  storage: Pick<Storage, 'open'>,
  key: string,
  length: number,
  limitMs: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const head = new Uint8Array(length)
  const signal = AbortSignal.timeout(limitMs)
  const late = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(UNREAD)))
  const reading = storage.open(key, { start: 0, end: length - 1 }).then(async ({ stream }) => {
    let at = 0
    for await (const chunk of addAbortSignal(signal, stream) as AsyncIterable<Uint8Array>) {
      head.set(chunk, at)
      at += chunk.length
    }
    if (at !== length) throw CUT_OFF
  })
  await Promise.race([reading, late])
  return head
}
