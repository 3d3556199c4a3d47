import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { seal, unseal } from './backup.seal.ts'

const KB = 1024
const HEAD = 15 + 32
const PIECE = 64 * KB + 16
const SECRET = 'a secret of thirty-two characters'

async function* chunksOf(bytes: Buffer, size = 16 * KB) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
async function gather(bytes: AsyncIterable<Buffer>) {
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}
const sealAll = (bytes: Buffer) => gather(seal(chunksOf(bytes), SECRET))
const open = (bytes: Buffer, secret = SECRET, size?: number) => gather(unseal(chunksOf(bytes, size), () => secret))

test('decrypts encrypted bytes in pieces of any size, and passes plain bytes through', async () => {
  for (const size of [0, 1, 64 * KB - 1, 64 * KB, 64 * KB + 1, 200 * KB]) {
    const bytes = randomBytes(size)
    const sealed = await sealAll(bytes)
    if (size > 16) expect(sealed.includes(bytes.subarray(0, 16))).toBe(false)
    for (const chunk of [7 * KB, 100 * KB]) expect((await open(sealed, SECRET, chunk)).equals(bytes)).toBe(true)
    expect((await open(bytes)).equals(bytes)).toBe(true)
  }
})

test('rejects bytes that were cut, reordered or changed, and a wrong secret', async () => {
  const sealed = await sealAll(randomBytes(150 * KB))
  const [head, first, second, last] = [0, 1, 2, 3].map((n) =>
    sealed.subarray(n && HEAD + (n - 1) * PIECE, n < 3 ? HEAD + n * PIECE : undefined),
  ) as [Buffer, Buffer, Buffer, Buffer]
  expect((await open(Buffer.concat([head, first, second, last]))).length).toBe(150 * KB)
  const changed = Buffer.from(sealed)
  changed[HEAD + PIECE]! ^= 1
  const damaged = [
    Buffer.concat([head, first, second]),
    Buffer.concat([head, first, second, last.subarray(0, -1)]),
    Buffer.concat([head, first, last]),
    Buffer.concat([head, second, first, last]),
    Buffer.concat([head, first, second, last, last]),
    changed,
    head,
  ]
  for (const bytes of damaged) await expect(open(bytes)).rejects.toThrow('damaged')
  await expect(open(sealed, 'another secret of 32 characters!')).rejects.toThrow('SECRET: it does not open')
})
