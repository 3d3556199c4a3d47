import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Failure } from '../../src/kit/failure.ts'

// An encrypted backup is MARK, 32 random bytes, and pieces of 64 KB in AES-256-GCM. SECRET and the random bytes give
// the key. The nonce is the number of the piece and a last-piece flag, so missing, moved or cut pieces fail.

const MARK = Buffer.from('primo-sealed-1\n')
const SALT_BYTES = 32
const HEAD_BYTES = MARK.length + SALT_BYTES
const PIECE_BYTES = 64 * 1024
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

type Bytes = AsyncIterable<Buffer>

export async function* seal(bytes: Bytes, secret: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  const key = keyOf(secret, salt)
  yield Buffer.concat([MARK, salt])
  let number = 0
  for await (const { piece, isLast } of cut(bytes, PIECE_BYTES)) {
    const cipher = createCipheriv(CIPHER, key, nonceOf(number++, isLast))
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
  }
}

/** Decrypts an encrypted backup. Passes plain bytes through. */
export async function* unseal(bytes: Bytes, secret: () => string): AsyncGenerator<Buffer> {
  const source = bytes[Symbol.asyncIterator]()
  let head: Buffer = Buffer.alloc(0)
  while (head.length < HEAD_BYTES) {
    const { value, done } = await source.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  const rest = { [Symbol.asyncIterator]: () => source }
  if (!head.subarray(0, MARK.length).equals(MARK)) {
    yield head
    yield* rest
    return
  }
  const key = keyOf(secret(), head.subarray(MARK.length, HEAD_BYTES))
  async function* body() {
    yield head.subarray(HEAD_BYTES)
    yield* rest
  }
  let number = 0
  for await (const { piece, isLast } of cut(body(), PIECE_BYTES + TAG_BYTES)) {
    yield open(key, piece, number, isLast)
    number++
  }
}

function open(key: Buffer, piece: Buffer, number: number, isLast: boolean): Buffer {
  const end = Math.max(0, piece.length - TAG_BYTES)
  try {
    const decipher = createDecipheriv(CIPHER, key, nonceOf(number, isLast), { authTagLength: TAG_BYTES })
    decipher.setAuthTag(piece.subarray(end))
    return Buffer.concat([decipher.update(piece.subarray(0, end)), decipher.final()])
  } catch {
    if (number > 0) throw new Failure(409, 'The backup is damaged: a piece does not open. Nothing was changed.')
    throw new Failure(
      409,
      'SECRET: it does not open this backup, or the backup is damaged. Give the SECRET of the shop that made it. Nothing was changed.',
    )
  }
}

const keyOf = (secret: string, salt: Buffer) => Buffer.from(hkdfSync('sha256', secret, salt, 'primo backup', 32))

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

async function* cut(bytes: Bytes, size: number): AsyncGenerator<{ piece: Buffer; isLast: boolean }> {
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    held = Buffer.concat([held, chunk])
    // A full piece waits for more bytes, because it may be the last one.
    let at = 0
    for (; held.length - at > size; at += size) yield { piece: held.subarray(at, at + size), isLast: false }
    held = held.subarray(at)
  }
  yield { piece: held, isLast: true }
}
