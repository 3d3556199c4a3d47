import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { packFiles, type ZipEntry } from './zip.server.ts'

const entry = (path: string, text: string, open = async () => Readable.from([Buffer.from(text)])): ZipEntry => ({
  ...{ path, sizeBytes: Buffer.byteLength(text), addedAt: new Date('2026-11-20'), open },
})
const refuse = () => Promise.reject(new Error('refunded'))

test('knows the size of a ZIP before its first byte', async () => {
  const { body, sizeBytes } = packFiles([entry('a.txt', 'One.'), entry('ü.txt', 'Two.')], new AbortController().signal)
  expect(Buffer.concat(await body.toArray())).toHaveLength(sizeBytes)
})

test('opens each file only when the ZIP reaches it, and aborts if the file must not open', async () => {
  const opened: string[] = []
  const { body } = packFiles(
    [
      entry('a.txt', 'One.', async () => {
        opened.push('a')
        return Readable.from([Buffer.from('One.')])
      }),
      entry('b.txt', 'Two.', refuse),
      entry('c.txt', 'Three.', async () => {
        opened.push('c')
        return Readable.from([])
      }),
    ],
    new AbortController().signal,
  )
  await expect(body.toArray()).rejects.toThrow('refunded')
  expect(opened).toEqual(['a'])
})

test('closes the open file when the client disconnects', async () => {
  const client = new AbortController()
  const endless = new Readable({ read: () => undefined })
  const { body } = packFiles([entry('a.txt', 'One.', async () => endless)], client.signal)
  body.resume()
  await expect.poll(() => endless.listenerCount('data') + endless.listenerCount('readable')).toBeGreaterThan(0)
  client.abort()
  expect([endless.destroyed, body.destroyed]).toEqual([true, true])
})

test('aborts when a file is shorter than expected', async () => {
  const short = { ...entry('a.txt', 'One.'), sizeBytes: 400 }
  await expect(packFiles([short], new AbortController().signal).body.toArray()).rejects.toThrow('number of bytes')
})
