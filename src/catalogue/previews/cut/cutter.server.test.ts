import { Readable } from 'node:stream'
import { PDFDocument } from '@cantoo/pdf-lib'
import { expect, onTestFinished, test } from 'vitest'
import { openCutter } from './cutter.server.ts'

async function open() {
  const pdf = await PDFDocument.create()
  for (let page = 1; page <= 10; page++) pdf.addPage([300, 200])
  const bytes = Buffer.from(await pdf.save())
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
