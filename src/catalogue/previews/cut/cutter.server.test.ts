import { Readable } from 'node:stream'
import { PDFDocument } from '@cantoo/pdf-lib'
import { expect, onTestFinished, test } from 'vitest'
import { openCutter } from './cutter.server.ts'

async function drawPdf() {
  const pdf = await PDFDocument.create()
  for (let page = 1; page <= 10; page++) pdf.addPage([300, 200])
  return Buffer.from(await pdf.save())
}

async function open() {
  const bytes = await drawPdf()
  const opened: string[] = []
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const cutter = openCutter({
    open: async (key) => {
      opened.push(key)
      await promise
      return { stream: Readable.from([bytes]), sizeBytes: bytes.length }
    },
  })
  onTestFinished(cutter.close)
  const file = { contentType: 'application/pdf', sizeBytes: bytes.length }
  return { opened, release, cut: (objectId: string, account: string) => cutter.cut({ objectId, ...file }, account) }
}

test('reads a file only when its turn comes, and one of an account at a time', { timeout: 60_000 }, async () => {
  const { opened, release, cut } = await open()
  const first = cut('first', 'ada')
  const other = cut('other', 'bob')
  await expect(cut('second', 'ada')).rejects.toMatchObject({ status: 429, code: 'busy' })
  await expect.poll(() => opened).toEqual(['first'])
  release()
  expect(await first).toMatchObject({ shown: 2, whole: 10, percent: 20 })
  await other
  expect(opened).toEqual(['first', 'other'])
  expect(await cut('second', 'ada')).toMatchObject({ shown: 2 })
})

test('counts the pages of a PDF, but not of another file', { timeout: 60_000 }, async () => {
  const files: Record<string, Buffer> = { pdf: await drawPdf(), other: Buffer.from('%PDF-1.7\n%%EOF\n') }
  const cutter = openCutter({
    open: async (key) => ({ stream: Readable.from([files[key]]), sizeBytes: files[key]?.length ?? 0 }),
  })
  onTestFinished(cutter.close)
  const count = (objectId: string) => cutter.countPages({ objectId, sizeBytes: files[objectId]?.length ?? 0 }, 'ada')
  expect(await count('pdf')).toBe(10)
  expect(await count('other')).toBeNull()
})

test('waits a limited time for a file that does not open or does not arrive', { timeout: 60_000 }, async () => {
  const bytes = await drawPdf()
  const late = Promise.withResolvers<Readable>()
  const [stalled, unread] = [new Readable({ read: () => {} }), Readable.from([bytes])]
  const streams: Record<string, Readable | Promise<Readable>> = { late: late.promise, stalled }
  const cutter = openCutter(
    { open: async (key) => ({ stream: (await streams[key]) ?? Readable.from([bytes]), sizeBytes: bytes.length }) },
    { readMs: 1_000 },
  )
  onTestFinished(cutter.close)
  const cut = (objectId: string) =>
    cutter.cut({ objectId, contentType: 'application/pdf', sizeBytes: bytes.length }, 'ada')
  for (const key of ['late', 'stalled'])
    await expect(cut(key)).rejects.toMatchObject({ status: 503, code: 'busy', retryAfter: 5 })
  expect(await cut('next')).toMatchObject({ shown: 2 })
  expect(stalled.destroyed).toBe(true)
  // a file that opens after the limit is closed
  late.resolve(unread)
  await expect.poll(() => unread.destroyed).toBe(true)
})
