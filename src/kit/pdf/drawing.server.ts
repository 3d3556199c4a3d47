import PDFDocument from 'pdfkit'
import { createLines, drawLines, type Lines, type Place } from './lines.server.ts'
import type { About, Cell, Column, Drawing, Part, Row } from './paper.server.ts'
import { required } from '../values/required.ts'

// Draws A4 documents for screen readers (PDF/UA-1): every text is in the structure tree, lines and page numbers are
// artifacts, tables have headers with a scope, and the fonts are embedded.

const MARGIN = 56
const WIDTH = 595.28 - 2 * MARGIN
const FOOT = 841.89 - MARGIN - 24
const MUTED = '#555'
const INK = '#000'
const GAP = 12
const SMALL = { size: 9, color: MUTED }
const PAGE: Place = { x: MARGIN, width: WIDTH, isRight: false }

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
  let y = MARGIN

  function makeRoom(height: number): boolean {
    if (y + height <= FOOT) return false
    pdf.addPage()
    y = MARGIN
    return true
  }

  function block(tag: string, text: string, { isBold = false, size = 10, color = INK, before = 0, after = 4 }) {
    const laid = lines.layOut(text, { isBold, size, color }, WIDTH)
    if (!makeRoom(before + laid.height)) y += before
    const element = pdf.struct(tag, actual(laid))
    root.add(element)
    element.add(() => drawLines(pdf, laid, PAGE, y))
    element.end()
    y += laid.height + after
  }

  function table(columns: Column[], rows: Row[]) {
    y += GAP
    const places = placesOf(columns)
    const element = pdf.struct('Table')
    root.add(element)
    const heads = columns.map(({ name }, i) =>
      lines.layOut(name, { isBold: false, ...SMALL }, required(places[i], 'an entry of places').width),
    )
    const drawHeads = () =>
      heads.forEach((laid, i) => drawLines(pdf, laid, required(places[i], 'an entry of places'), y))
    const layOutRow = (row: Row) =>
      row.cells.map((cell, i) => layOutCell(cell, required(places[i], 'an entry of places').width, row.isStrong))
    const height = (cells: Lines[][]) => Math.max(...cells.map(heightOf))
    // keeps a table header on one page with the first row
    makeRoom(rows[0] ? height(layOutRow(rows[0])) + 40 : 40)
    const head = pdf.struct('TR')
    const group = pdf.struct('THead')
    element.add(group)
    group.add(head)
    heads.forEach((laid, i) => {
      const cell = pdf.struct('TH', COLUMN_HEAD)
      head.add(cell)
      cell.add(() => drawLines(pdf, laid, required(places[i], 'an entry of places'), y))
      cell.end()
    })
    group.end()
    underline(14)
    const body = pdf.struct('TBody')
    element.add(body)
    for (const row of rows) {
      const cells = layOutRow(row)
      const needed = height(cells)
      if (makeRoom(needed)) {
        artifact('Pagination', drawHeads)
        underline(14)
      }
      const line = pdf.struct('TR')
      body.add(line)
      cells.forEach((cell, i) => {
        const data = pdf.struct('TD', actual(...cell))
        line.add(data)
        if (required(row.cells[i], 'an entry of cells').text)
          data.add(() => drawCell(cell, required(places[i], 'an entry of places')))
        data.end()
      })
      line.end()
      underline(needed + 4)
    }
    body.end()
    element.end()
    y += GAP
  }

  function layOutCell({ text, small }: Cell, width: number, isBold = false): Lines[] {
    const main = lines.layOut(text, { isBold, size: 10, color: INK }, width)
    return small ? [main, lines.layOut(small, { isBold: false, ...SMALL }, width)] : [main]
  }

  function drawCell(cell: Lines[], place: Place) {
    let top = y
    for (const laid of cell) {
      drawLines(pdf, laid, place, top)
      top += laid.height
    }
  }

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
    artifact('Pagination', () => drawLines(pdf, number, PAGE, FOOT + 10))
  }
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}

// pdfkit supports these two options, but its types lack them
const UA: object = { subset: 'PDF/UA' }
const COLUMN_HEAD: object = { scope: 'Column' }

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

const heightOf = (cell: readonly Lines[]) => cell.reduce((sum, { height }) => sum + height, 0)

/** Returns the text in logical order, because screen readers would otherwise read reordered glyphs in visual order. */
const actual = (...parts: Lines[]): { actual?: string } =>
  parts.some((part) => part.isReordered) ? { actual: parts.map((part) => part.text).join(' ') } : {}
