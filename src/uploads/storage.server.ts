import type { Readable } from 'node:stream'

export type Stored = { sizeBytes: number; sha256: string; md5: string }
/** Both positions are inclusive. */
export type ByteRange = { start: number; end: number }

/** Stores bytes under keys that the server chooses (an upload's id, 'images/{id}/640.webp'), complete or not at all. */
export type Storage = {
  /**
   * Stores the stream and returns its size and hashes (hexadecimal). Throws a Failure: 400 empty or interrupted, 409
   * `exists` (only with `isOnce`; otherwise replaces), 413 more than `maxBytes`, 507 disk full. A failure leaves no bytes
   * and does not destroy the stream.
   */
  put: (key: string, stream: Readable, options?: { maxBytes?: number; isOnce?: boolean }) => Promise<Stored>
  /** The bytes or a range of them; `sizeBytes` is the full size. Throws a Failure 404 `no_bytes`. */
  open: (key: string, range?: ByteRange) => Promise<{ stream: Readable; sizeBytes: number }>
  /** Stores the bytes of a key under another one, too; both may share them. Only where that costs no second write. */
  copy?: (from: string, to: string) => Promise<void>
  /** Succeeds for an unknown key, too. */
  remove: (key: string) => Promise<void>
  /** Removes files of crashed writes that are older than this. Returns their number. */
  removeAbandoned: (olderThanMs: number) => Promise<number>
}
