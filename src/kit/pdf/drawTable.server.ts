import { required } from '../values/required.ts'
import { type createLines, drawLines, type Lines, type Place } from './lines.server.ts'
import type { Cell, Column, Row } from './paper.server.ts'
import { actual, INK, MARGIN, type Sheet, SMALL, WIDTH } from './sheet.server.ts'

const GAP = 12
// pdfkit supports this option, but its types lack it
const COLUMN_HEAD: object = { scope: 'Column' }

type Pen = {
  pdf: PDFKit.PDFDocument
  root: PDFKit.PDFStructureElement
  lines: ReturnType<typeof createLines>
  sheet: Sheet
}

/** Draws a table. Each new page repeats its header as an artifact. */
export function drawTable({ pdf, root, lines, sheet }: Pen, columns: Column[], rows: Row[]) {
  sheet.y += GAP
  const places = placesOf(columns)
  const placeOf = (i: number) => required(places[i], 'the place of a column')
  const element = pdf.struct('Table')
  root.add(element)
  const heads = columns.map(({ name }, i) => lines.layOut(name, { isBold: false, ...SMALL }, placeOf(i).width))
  const layOutRow = (row: Row) => row.cells.map((cell, i) => layOutCell(lines, cell, placeOf(i).width, row.isStrong))
  // a table header is never the last line of a page
  sheet.makeRoom(rows[0] ? heightOfRow(layOutRow(rows[0])) + 40 : 40)
  const head = pdf.struct('TR')
  const group = pdf.struct('THead')
  element.add(group)
  group.add(head)
  heads.forEach((laid, i) => {
    const cell = pdf.struct('TH', COLUMN_HEAD)
    head.add(cell)
    cell.add(() => drawLines(pdf, laid, placeOf(i), sheet.y))
    cell.end()
  })
  group.end()
  sheet.underline(14)
  const body = pdf.struct('TBody')
  element.add(body)
  for (const row of rows) {
    const cells = layOutRow(row)
    const height = heightOfRow(cells)
    if (sheet.makeRoom(height)) {
      sheet.artifact('Pagination', () => heads.forEach((laid, i) => drawLines(pdf, laid, placeOf(i), sheet.y)))
      sheet.underline(14)
    }
    const line = pdf.struct('TR')
    body.add(line)
    cells.forEach((cell, i) => {
      const data = pdf.struct('TD', actual(...cell))
      line.add(data)
      if (row.cells[i]?.text) data.add(() => drawCell(pdf, cell, placeOf(i), sheet.y))
      data.end()
    })
    line.end()
    sheet.underline(height + 4)
  }
  body.end()
  element.end()
  sheet.y += GAP
}

function layOutCell(lines: Pen['lines'], { text, small }: Cell, width: number, isBold = false): Lines[] {
  const main = lines.layOut(text, { isBold, size: 10, color: INK }, width)
  return small ? [main, lines.layOut(small, { isBold: false, ...SMALL }, width)] : [main]
}

function drawCell(pdf: Pen['pdf'], cell: Lines[], place: Place, y: number) {
  let top = y
  for (const laid of cell) {
    drawLines(pdf, laid, place, top)
    top += laid.height
  }
}

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

const heightOfRow = (cells: Lines[][]) => Math.max(...cells.map(heightOf))
