import { ParseSpeeds, PDFDocument } from '@cantoo/pdf-lib'
import { type Cut, pagesOf, percentOf } from './cut.rules.ts'
import { hidesLayers, openPruner } from './prunePdf.server.ts'

const load = (bytes: Uint8Array) => PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest })

/** Rejects if the PDF is protected or damaged. */
export const countPages = async (bytes: Uint8Array): Promise<number> => (await load(bytes)).getPageCount()

/** Cuts the first pages of a PDF. Null if it is too short or hides layers. Rejects if the PDF is protected or damaged. */
export async function cutPdf(bytes: Uint8Array): Promise<Cut | null> {
  const pdf = await load(bytes)
  const whole = pdf.getPageCount()
  const shown = pagesOf(whole)
  if (shown === null || hidesLayers(pdf)) return null
  const pages = pdf.getPages().slice(0, shown)
  const prune = openPruner(pdf)
  for (const page of pages) prune(page)
  const sample = await PDFDocument.create({ updateMetadata: false })
  for (const page of await sample.copyPages(pdf, [...pages.keys()])) sample.addPage(page)
  const cut = await sample.save({ updateFieldAppearances: false, objectsPerTick: Infinity })
  return { bytes: cut, shown, whole, percent: percentOf(shown, whole) }
}
