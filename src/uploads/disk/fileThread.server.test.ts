import { createHash } from 'node:crypto'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { writeInThread } from './fileThread.server.ts'

const folder = await mkdtemp(join(tmpdir(), 'primo-thread-'))
afterAll(() => rm(folder, { recursive: true }))

const MB = 1024 * 1024
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('writes files concurrently, hashes each and reports its progress', async () => {
  const written = await Promise.all(
    [1, 2, 3].map(async (mark) => {
      const path = join(folder, String(mark))
      const file = await open(path, 'w')
      let toldBytes = 0
      const { write, end } = writeInThread(file.fd, {
        onWritten: (bytes) => (toldBytes += bytes),
        onFailure: (error) => expect.fail(String(error)),
      })
      for (let i = 0; i < 40; i++) write(Buffer.alloc(MB / 16, mark * i), true)
      const sha256 = await end()
      await file.close()
      return { bytes: await readFile(path), sha256, toldBytes }
    }),
  )
  for (const { bytes, sha256, toldBytes } of written) {
    expect(bytes).toHaveLength((40 * MB) / 16)
    expect(sha256).toBe(digest(bytes))
    expect(toldBytes).toBe(bytes.length)
  }
})

test('transfers the memory of an unshared chunk and copies any other', async () => {
  const file = await open(join(folder, 'memory'), 'w')
  const { write, end } = writeInThread(file.fd, { onWritten: () => undefined, onFailure: () => undefined })
  const [own, shared] = [Buffer.alloc(100, 'a'), Buffer.alloc(100, 'b')]
  const slice = Buffer.alloc(100, 'c').subarray(50)
  write(own, true)
  write(shared, false)
  write(slice, true)
  await end()
  await file.close()
  expect(own).toHaveLength(0)
  expect(shared.toString()).toBe('b'.repeat(100))
  expect(slice.toString()).toBe('c'.repeat(50))
})

test('reports a failed write with its code and continues with other files', async () => {
  const [closed, whole] = [await open(join(folder, 'closed'), 'w'), await open(join(folder, 'whole'), 'w')]
  // writing fails on a file opened for reading
  const readOnly = await open(join(folder, 'closed'), 'r')
  const failures: Error[] = []
  const failing = writeInThread(readOnly.fd, { onWritten: () => undefined, onFailure: (error) => failures.push(error) })
  const working = writeInThread(whole.fd, { onWritten: () => undefined, onFailure: () => undefined })
  failing.write(Buffer.from('lost'), false)
  failing.write(Buffer.from('lost too'), false)
  working.write(Buffer.from('kept'), false)
  await expect(failing.end()).rejects.toMatchObject({ code: 'EBADF' })
  expect(failures).toHaveLength(1)
  expect(await working.end()).toBe(digest(Buffer.from('kept')))
  await Promise.all([closed, readOnly, whole].map((file) => file.close()))
})
