import { join } from 'node:path'
import PDFDocument from 'pdfkit'
import type { About, Cell, Column, Drawing, Part, Row } from './paper.server.ts'

// A4 documents that screen readers can read (PDF/UA-1): every text is in the structure tree, lines and page numbers are
// artifacts, tables have headers with a scope, and the fonts are embedded.

const face = (name: string) => join(import.meta.dirname, 'fonts', `DejaVuSansCondensed${name}.ttf`)
const REGULAR = face('')
const BOLD = face('-Bold')

const MARGIN = 56
const WIDTH = 595.28 - 2 * MARGIN
const FOOT = 841.89 - MARGIN - 24
const MUTED = '#555'
const INK = '#000'
const GAP = 12

/** Draws a document. The same parts with the same `createdAt` make the same bytes. */
export async function drawPdf({ title, author, createdAt, parts }: Drawing): Promise<Uint8Array> {
  const pdf = openDocument({ title, author, createdAt })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve) => pdf.once('end', resolve))
  const root = pdf.struct('Document')
  pdf.addStructure(root)
  const letters = createLetters(pdf)
  let y = MARGIN

  /** Starts a new page if `height` does not fit on this one. */
  function makeRoom(height: number): boolean {
    if (y + height <= FOOT) return false
    pdf.addPage()
    y = MARGIN
    return true
  }

  function block(tag: string, text: string, { font = REGULAR, size = 10, color = INK, before = 0, after = 4 }) {
    const known = letters.known(text)
    const height = pdf.font(font).fontSize(size).heightOfString(known, { width: WIDTH })
    if (!makeRoom(before + height)) y += before
    const element = pdf.struct(tag)
    root.add(element)
    element.add(() => pdf.font(font).fontSize(size).fillColor(color).text(known, MARGIN, y, { width: WIDTH }))
    element.end()
    y += height + after
  }

  function table(columns: Column[], rows: Row[]) {
    y += GAP
    const places = placesOf(columns)
    const element = pdf.struct('Table')
    root.add(element)
    const heads = columns.map(({ name }) => ({ text: name }))
    const height = (row: Row) => Math.max(...row.cells.map((cell, i) => heightOf(cell, places[i]!.width, row.isStrong)))
    // a table header is never the last line of a page
    makeRoom(rows[0] ? height(rows[0]) + 40 : 40)
    const head = pdf.struct('TR')
    const group = pdf.struct('THead')
    element.add(group)
    group.add(head)
    heads.forEach(({ text }, i) => {
      const cell = pdf.struct('TH', COLUMN_HEAD)
      head.add(cell)
      cell.add(() => drawHead(text, places[i]!))
      cell.end()
    })
    group.end()
    underline(14)
    const body = pdf.struct('TBody')
    element.add(body)
    for (const row of rows) {
      const needed = height(row)
      if (makeRoom(needed)) {
        artifact('Pagination', () => heads.forEach(({ text }, i) => drawHead(text, places[i]!)))
        underline(14)
      }
      const line = pdf.struct('TR')
      body.add(line)
      row.cells.forEach((cell, i) => {
        const data = pdf.struct('TD')
        line.add(data)
        if (cell.text) data.add(() => drawCell(cell, places[i]!, row.isStrong))
        data.end()
      })
      line.end()
      underline(needed + 4)
    }
    body.end()
    element.end()
    y += GAP
  }

  function drawHead(text: string, place: Place) {
    pdf.font(REGULAR).fontSize(9).fillColor(MUTED)
    write(letters.known(text), place, y)
  }

  function heightOf({ text, small }: Cell, width: number, isStrong = false): number {
    const main = pdf
      .font(isStrong ? BOLD : REGULAR)
      .fontSize(10)
      .heightOfString(letters.known(text || ' '), { width })
    return main + (small ? pdf.font(REGULAR).fontSize(9).heightOfString(letters.known(small), { width }) : 0)
  }

  function drawCell({ text, small }: Cell, place: Place, isStrong = false) {
    const below = y + heightOf({ text }, place.width, isStrong)
    pdf
      .font(isStrong ? BOLD : REGULAR)
      .fontSize(10)
      .fillColor(INK)
    write(letters.known(text), place, y)
    if (!small) return
    pdf.font(REGULAR).fontSize(9).fillColor(MUTED)
    write(letters.known(small), place, below)
  }

  const write = (text: string, { x, width, isRight }: Place, at: number) =>
    pdf.text(text, x, at, { width, align: isRight ? 'right' : 'left' })

  function artifact(type: 'Pagination' | 'Layout', drawing: () => void) {
    pdf.markContent('Artifact', { type })
    drawing()
    pdf.endMarkedContent()
  }

  function underline(below: number) {
    y += below
    artifact('Layout', () =>
      pdf
        .moveTo(MARGIN, y)
        .lineTo(MARGIN + WIDTH, y)
        .lineWidth(0.5)
        .strokeColor('#ccc')
        .stroke(),
    )
    y += 6
  }

  const drawPart = (part: Part) => {
    if (part.kind === 'table') return table(part.columns, part.rows)
    if (part.kind === 'paragraph') {
      if (part.isAboutUnknown && !letters.hasUnknown()) return
      return block('P', part.text, { ...(part.isMuted && { color: MUTED }) })
    }
    return part.level === 1
      ? block('H1', part.text, { font: BOLD, size: 20, after: 6 })
      : block('H2', part.text, { font: BOLD, size: 11, before: 8 })
  }
  parts.forEach(drawPart)
  root.end()
  const { count } = pdf.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page)
    artifact('Pagination', () => {
      pdf.font(REGULAR).fontSize(9).fillColor(MUTED)
      pdf.text(`Page ${page + 1} of ${count}`, MARGIN, FOOT + 10, { lineBreak: false })
    })
  }
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}

// pdfkit supports these two options, but its types lack them
const UA: object = { subset: 'PDF/UA' }
const COLUMN_HEAD: object = { scope: 'Column' }

const openDocument = ({ title, author, createdAt }: About) =>
  new PDFDocument({
    ...UA,
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    // otherwise pdfkit starts the document with a font that is not embedded
    font: REGULAR,
    info: { Title: plainXml(title), Author: plainXml(author), CreationDate: createdAt },
  })

/** Escapes texts that pdfkit writes into XML unescaped. */
const plainXml = (text: string) => text.replaceAll('&', 'and').replace(/[<>]/g, '')

type Place = { x: number; width: number; isRight: boolean }

const BETWEEN = 10

function placesOf(columns: Column[]): Place[] {
  const fixed = columns.reduce((sum, { width = 0 }) => sum + width, 0)
  const free = columns.filter(({ width }) => width === undefined).length
  const share = free > 0 ? (WIDTH - fixed - BETWEEN * (columns.length - 1)) / free : 0
  let x = MARGIN
  return columns.map(({ width = share, isRight = false }) => {
    const place = { x, width, isRight }
    x += width + BETWEEN
    return place
  })
}

type Glyphs = { _font: { font: { hasGlyphForCodePoint: (code: number) => boolean } } }
// pdfkit cannot lay out text that runs from right to left
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
// joiners and variation selectors have no glyph
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu

/** Replaces letters that the fonts lack: first by their base letter, then by a question mark. */
function createLetters(pdf: PDFKit.PDFDocument) {
  pdf.font(REGULAR)
  const { font } = (pdf as unknown as Glyphs)._font
  const isKnown = (letter: string) => font.hasGlyphForCodePoint(letter.codePointAt(0)!) && !RIGHT_TO_LEFT.test(letter)
  let hasUnknown = false
  const replace = (letter: string): string => {
    if (isKnown(letter)) return letter
    const [base] = letter.normalize('NFKD')
    if (base && base !== letter && isKnown(base)) return base
    hasUnknown = true
    return '?'
  }
  return {
    known: (text: string) => [...text.normalize('NFC').replace(UNSEEN, '').replace(/\s+/g, ' ')].map(replace).join(''),
    hasUnknown: () => hasUnknown,
  }
}
