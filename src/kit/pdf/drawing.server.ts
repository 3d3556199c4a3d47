import PDFDocument from 'pdfkit'
import { drawTable } from './drawTable.server.ts'
import { createLines, drawLines } from './lines.server.ts'
import type { About, Drawing, Part } from './paper.server.ts'
import { actual, FOOT, INK, MARGIN, MUTED, openSheet, PAGE, SMALL, WIDTH } from './sheet.server.ts'

// A4 documents that screen readers can read (PDF/UA-1): every text is in the structure tree, lines and page numbers are
// artifacts, tables have headers with a scope, and the fonts are embedded.

/** Draws a document. The same parts with the same `createdAt` make the same bytes. */
export async function drawPdf({ title, author, createdAt, parts }: Drawing): Promise<Uint8Array> {
  const lines = createLines()
  const pdf = openDocument(
    { title, author, createdAt },
    {
      // otherwise pdfkit starts the document with a font that is not embedded
      font: lines.font(false),
    },
  )
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve) => pdf.once('end', resolve))
  const root = pdf.struct('Document')
  pdf.addStructure(root)
  const sheet = openSheet(pdf)

  function block(tag: string, text: string, { isBold = false, size = 10, color = INK, before = 0, after = 4 }) {
    const laid = lines.layOut(text, { isBold, size, color }, WIDTH)
    if (!sheet.makeRoom(before + laid.height)) sheet.y += before
    const element = pdf.struct(tag, actual(laid))
    root.add(element)
    element.add(() => drawLines(pdf, laid, PAGE, sheet.y))
    element.end()
    sheet.y += laid.height + after
  }

  const drawPart = (part: Part) => {
    if (part.kind === 'table') return drawTable({ pdf, root, lines, sheet }, part.columns, part.rows)
    if (part.kind === 'paragraph') {
      if (part.isAboutUnknown && !lines.hasUnknown()) return
      return block('P', part.text, { ...(part.isMuted && { color: MUTED }) })
    }
    return part.level === 1
      ? block('H1', part.text, { isBold: true, size: 20, after: 6 })
      : block('H2', part.text, { isBold: true, size: 11, before: 8 })
  }
  parts.forEach(drawPart)
  root.end()
  const { count } = pdf.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page)
    const number = lines.layOut(`Page ${page + 1} of ${count}`, { isBold: false, ...SMALL }, WIDTH)
    sheet.artifact('Pagination', () => drawLines(pdf, number, PAGE, FOOT + 10))
  }
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}

// pdfkit supports this option, but its types lack it
const UA: object = { subset: 'PDF/UA' }

const openDocument = ({ title, author, createdAt }: About, font: object) =>
  new PDFDocument({
    ...UA,
    ...font,
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    info: { Title: plainXml(title), Author: plainXml(author), CreationDate: createdAt },
  })

const plainXml = (text: string) => text.replaceAll('&', 'and').replace(/[<>]/g, '')
