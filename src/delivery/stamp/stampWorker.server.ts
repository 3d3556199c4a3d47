import { readFile, writeFile } from 'node:fs/promises'
import { degrees, ParseSpeeds, PDFDocument, rgb, StandardFonts } from '@cantoo/pdf-lib'
import { serveThread } from '../../kit/threads/serveThread.server.ts'
import { MAX_PAGES, placeStamp, STAMP_SIZE } from './stamp.rules.ts'
import type { Stamped, StampOrder } from './stamps.server.ts'

// The thread of stamps.server.ts. The same PDF and text give the same bytes, so another node can resume a download.

serveThread(async ({ from, to, text }: StampOrder): Promise<Stamped> => {
  // a read error rejects, because the PDF is not the cause
  const bytes = await readFile(from)
  let reason = ''
  const copy = await stamp(bytes, text).catch((error: unknown) => void (reason = String(error)))
  if (!copy) return { isDone: false, reason }
  await writeFile(to, copy, { mode: 0o600 })
  return { isDone: true }
})

async function stamp(bytes: Uint8Array, text: string): Promise<Uint8Array> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest })
  if (pdf.getPageCount() > MAX_PAGES) throw new Error(`it has more than ${MAX_PAGES} pages`)
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (const page of pdf.getPages()) {
    const { x, y, angle } = placeStamp(page.getCropBox(), page.getRotation().angle)
    page.drawText(text, {
      ...{ x, y, font, size: STAMP_SIZE, rotate: degrees(angle) },
      ...{ color: rgb(0.35, 0.35, 0.35), opacity: 0.8 },
    })
  }
  return pdf.save({ updateFieldAppearances: false, objectsPerTick: Infinity })
}
