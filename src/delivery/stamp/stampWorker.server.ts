import { readFile, writeFile } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import { degrees, ParseSpeeds, PDFDocument, rgb, StandardFonts } from '@cantoo/pdf-lib'
import { placeStamp, STAMP_SIZE } from './stamp.rules.ts'
import type { FromStamper, StampOrder } from './stamps.server.ts'

// The thread of stamps.server.ts. The same PDF and the same text give the same bytes, so that a download may go on at another node.

parentPort!.on('message', (order: StampOrder) => void answer(order))

async function answer({ from, to, text }: StampOrder) {
  // a folder that fails ends the thread: the PDF is not to blame
  const bytes = await readFile(from)
  let reply: FromStamper = { isDone: true }
  const copy = await stamp(bytes, text).catch(
    (error: unknown) => void (reply = { isDone: false, reason: String(error) }),
  )
  if (copy) await writeFile(to, copy, { mode: 0o600 })
  parentPort!.postMessage(reply)
}

async function stamp(bytes: Uint8Array, text: string): Promise<Uint8Array> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest })
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
