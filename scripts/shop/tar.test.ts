import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTar, tarEnd, tarHead, tarPadding } from './tar.ts'

type File = { name: string; bytes: Buffer }

const pack = (files: File[]) =>
  Buffer.concat([
    ...files.flatMap(({ name, bytes }) => [tarHead(name, bytes.length), bytes, tarPadding(bytes.length)]),
    tarEnd(),
  ])

async function* inChunks(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function unpack(source: AsyncIterable<Buffer>): Promise<File[]> {
  const files: File[] = []
  for await (const { name, body } of readTar(source)) {
    const chunks: Buffer[] = []
    for await (const chunk of body) chunks.push(chunk)
    files.push({ name, bytes: Buffer.concat(chunks) })
  }
  return files
}

const someFile = fc.record({
  name: fc.stringMatching(/^[a-z0-9/.-]{1,100}$/),
  bytes: fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
})

test('what is packed is unpacked, however the stream is cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(someFile, { maxLength: 5 }), fc.integer({ min: 1, max: 3000 }), async (files, size) => {
      expect(await unpack(inChunks(pack(files), size))).toEqual(files)
    }),
    { numRuns: 60 },
  )
})

test('the system opens it too', () => {
  const tar = pack([{ name: 'objects/a', bytes: Buffer.from('some bytes') }])
  const shown = spawnSync('tar', ['-xOf', '-', 'objects/a'], { input: tar })
  expect(shown.stdout.toString()).toBe('some bytes')
})

test('a body that nobody reads is skipped', async () => {
  const tar = pack([
    { name: 'a', bytes: Buffer.alloc(5000) },
    { name: 'b', bytes: Buffer.from('b') },
  ])
  const names: string[] = []
  for await (const { name } of readTar(inChunks(tar, 700))) names.push(name)
  expect(names).toEqual(['a', 'b'])
})

test('a stream that ends too early or is no tar is damaged', async () => {
  const tar = pack([{ name: 'a', bytes: Buffer.alloc(5000) }])
  await expect(unpack(inChunks(tar.subarray(0, 3000), 700))).rejects.toThrow('it ends too early')
  await expect(unpack(inChunks(Buffer.alloc(1024, 'x'), 700))).rejects.toThrow('no proper head')
})

test('a name or file that the format cannot hold is refused', () => {
  expect(() => tarHead('x'.repeat(101), 1)).toThrow('does not fit')
  expect(() => tarHead('x', 8 ** 11)).toThrow('does not fit')
})
