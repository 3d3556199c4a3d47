import { Failure } from '../../src/kit/failure.ts'

// The tar format (ustar), as far as backups need it: regular files with short names, read and written as streams.

const BLOCK = 512
const LONGEST_NAME = 100
const GREATEST_SIZE = 8 ** 11 - 1

export type Entry = { name: string; size: number; body: AsyncIterable<Buffer> }

/** The block before a file's bytes; `size` is in bytes and must be what follows. */
export function tarHead(name: string, size: number, madeAt = new Date()): Buffer {
  const isFit = Buffer.byteLength(name) <= LONGEST_NAME && size <= GREATEST_SIZE
  if (!isFit) throw new Failure(500, `${name} (${size} bytes) does not fit into a backup.`)
  const head = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, length: number) =>
    head.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  head.write(name, 0)
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(Math.floor(madeAt.getTime() / 1000), 136, 12)
  head.write('0ustar\x0000', 156, 'latin1')
  head.write(`${checksum(head).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return head
}

/** Fills the last block of a file's bytes. */
export const tarPadding = (size: number) => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)
export const tarEnd = () => Buffer.alloc(2 * BLOCK)

/** The sum of the head's bytes, its own field taken for spaces. */
function checksum(head: Buffer): number {
  let sum = 8 * 0x20
  for (const [at, byte] of head.entries()) if (at < 148 || at >= 156) sum += byte
  return sum
}

/** The files one after another; a body not read to its end is skipped. Throws a Failure when the stream is no whole tar. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const bytes = createTaker(source)
  for (;;) {
    const head = await bytes.exactly(BLOCK)
    if (head.every((byte) => byte === 0)) break
    const { name, size } = readHead(head)
    let left = size
    async function* body() {
      while (left > 0) {
        const chunk = await bytes.upTo(left)
        left -= chunk.length
        yield chunk
      }
    }
    yield { name, size, body: body() }
    while (left > 0) left -= (await bytes.upTo(left)).length
    await bytes.exactly(tarPadding(size).length)
  }
  await bytes.drain()
}

function readHead(head: Buffer) {
  const text = (at: number, length: number) => head.toString('utf8', at, at + length).split('\0')[0]!
  if (Number.parseInt(text(148, 8), 8) !== checksum(head)) throw damaged('a file in it has no proper head')
  return { name: text(0, LONGEST_NAME), size: Number.parseInt(text(124, 12), 8) }
}

/** Reads a stream of chunks by length. */
function createTaker(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  /** At least one byte, at most so many. */
  async function upTo(most: number): Promise<Buffer> {
    while (rest.length === 0) {
      const { value, done } = await chunks.next()
      if (done) throw damaged('it ends too early')
      rest = value
    }
    const taken = rest.subarray(0, most)
    rest = rest.subarray(taken.length)
    return taken
  }

  async function exactly(length: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let left = length; left > 0; left -= parts.at(-1)!.length) parts.push(await upTo(left))
    return Buffer.concat(parts)
  }

  /** What follows is nothing, but the stream's own checksum is only looked at on its end. */
  async function drain() {
    while (!(await chunks.next()).done);
  }
  return { upTo, exactly, drain }
}

export const damaged = (why: string) => new Failure(409, `The backup is damaged: ${why}. Nothing was changed.`)
