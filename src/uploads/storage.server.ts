import type { Readable } from 'node:stream'

export type Stored = { sizeBytes: number; sha256: string; md5: string }
/** First and last byte, both included. */
export type ByteRange = { start: number; end: number }

/**
 * Where bytes live. A key is made by us, never by a client: the id of an upload, or 'images/{id}/640.webp'. A thing is
 * whole under its key or not there at all.
 */
export type Storage = {
  /**
   * Keeps what the stream brings and answers its measure and hashes (hexadecimal). Throws a Failure: 400 empty or
   * interrupted, 409 `exists` (only with `isOnce`, otherwise an older one is replaced), 413 more than `maxBytes`, 507 no
   * room. After a failure nothing is left behind; the stream is left to the caller, unread.
   */
  put: (key: string, stream: Readable, options?: { maxBytes?: number; isOnce?: boolean }) => Promise<Stored>
  /** The bytes, or a part of them; `sizeBytes` is always the whole size. Throws a Failure 404 `no_bytes`. */
  open: (key: string, range?: ByteRange) => Promise<{ stream: Readable; sizeBytes: number }>
  /** Removes what is there; nothing there is fine too. */
  remove: (key: string) => Promise<void>
  /** Clears what crashed writes left, when older than this many milliseconds; answers how many. */
  removeAbandoned: (olderThanMs: number) => Promise<number>
}
