import {
  decodePDFRawStream,
  ParseSpeeds,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFPage,
  PDFRawStream,
} from '@cantoo/pdf-lib'
import { type Cut, pagesOf } from './cut.rules.ts'

const nameOf = (name: string) => PDFName.of(name)
/** Other entries of a page, such as links and threads, lead to pages that the sample does not show. */
const PAGE = ['Type', 'Parent', 'MediaBox', 'CropBox', 'Rotate', 'UserUnit', 'Contents', 'Group'].map(nameOf)
const RESOURCES = ['Font', 'ExtGState', 'ColorSpace', 'Pattern', 'Shading', 'ProcSet'].map(nameOf)
const PICTURES = nameOf('XObject')

/** Cuts the first pages of a PDF. Rejects if the PDF is protected or damaged. */
export async function cutPdf(bytes: Uint8Array): Promise<Cut | null> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest })
  const whole = pdf.getPageCount()
  const shown = pagesOf(whole)
  if (shown === null) return null
  const pages = pdf.getPages().slice(0, shown)
  for (const page of pages) removeUndrawn(page)
  const sample = await PDFDocument.create({ updateMetadata: false })
  for (const page of await sample.copyPages(pdf, [...pages.keys()])) sample.addPage(page)
  return { bytes: await sample.save({ updateFieldAppearances: false, objectsPerTick: Infinity }), shown, whole }
}

/** Removes everything from a page that its content does not draw, because pages often share the pictures of the file. */
function removeUndrawn({ node, doc: { context } }: PDFPage) {
  const present = node.Resources()
  const resources = context.obj({})
  for (const key of RESOURCES) {
    const value = present?.get(key)
    if (value) resources.set(key, value)
  }
  const pictures = present?.lookupMaybe(PICTURES, PDFDict)
  if (pictures) {
    const names = namesOf(node.Contents(), context)
    const drawn = context.obj({})
    for (const [key, value] of pictures.entries()) if (names.has(key)) drawn.set(key, value)
    resources.set(PICTURES, drawn)
  }
  for (const key of node.keys()) if (!PAGE.includes(key)) node.delete(key)
  node.set(nameOf('Resources'), resources)
}

type Contents = ReturnType<PDFPage['node']['Contents']>

/** Returns the names in the content of a page. */
function namesOf(contents: Contents, context: PDFDocument['context']): Set<PDFName> {
  const streams = contents instanceof PDFArray ? contents.asArray().map((part) => context.lookup(part)) : [contents]
  const names = streams.flatMap((stream) => {
    if (!(stream instanceof PDFRawStream)) return []
    const text = Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1')
    return [...text.matchAll(/\/([^\s/<>()[\]{}%]+)/g)].map(([, name = '']) => nameOf(name))
  })
  return new Set(names)
}
