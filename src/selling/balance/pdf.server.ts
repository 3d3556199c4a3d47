import PDFDocument from 'pdfkit'
import type { Movement, Statement } from './balance.contract.ts'
import { toLatin } from './latin.rules.ts'
import {
  describeMovement,
  earnedCents,
  nameDay,
  nameMonth,
  nameMovement,
  showBalance,
  showChange,
  signedCents,
} from './statement.rules.ts'

const MARGIN = 56
const WIDTH = 595.28 - 2 * MARGIN
const FOOT = 841.89 - MARGIN - 24
/** Where the columns of the table stand: the day, what happened, and the right edges of the two amounts. */
const COLUMNS = { day: MARGIN, what: MARGIN + 52, amount: MARGIN + WIDTH - 90, balance: MARGIN + WIDTH }
const WHAT_WIDTH = COLUMNS.amount - 80 - COLUMNS.what

/** A statement as an A4 document, which repeats the head of its table on each page. */
export async function toPdf({
  statement,
  seller,
  storeName,
}: {
  statement: Statement
  seller: string
  storeName: string
}): Promise<Buffer> {
  const { month, opening, closing, movements, isSummedUp } = statement
  const title = `Statement, ${nameMonth(month)}`
  const pdf = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    info: { Title: title, Author: storeName },
  })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve) => pdf.once('end', resolve))
  let hasUnknownLetters = false
  const write = (text: string) => {
    const latin = toLatin(text)
    hasUnknownLetters ||= latin.split('?').length > text.split('?').length
    return latin
  }

  pdf.font('Helvetica-Bold').fontSize(20).text(write(title), MARGIN, MARGIN, { width: WIDTH })
  pdf.font('Helvetica').fontSize(10).fillColor('#555')
  pdf.text(write(`${seller}. Sold at ${storeName}. In US dollars, days in UTC.`), { width: WIDTH }).moveDown(1.5)
  let y = head(pdf.y)

  line({ day: nameDay(`${month}-01`), what: 'Balance before', balance: opening, isStrong: true })
  for (const movement of movements) line(rowOf(movement))
  line({ day: '', what: 'Balance after', balance: closing, isStrong: true })
  y += 16
  line({ day: '', what: `Earned in ${nameMonth(month)}`, amount: earnedCents(statement), isStrong: true })
  if (isSummedUp)
    note('The month has too many lines for this document, so each day is summed up. The CSV has every product.')
  if (hasUnknownLetters)
    note('Letters that this document’s font does not have are shown as a question mark. The CSV has them.')
  number()
  pdf.end()
  await ended
  return Buffer.concat(chunks)

  function head(at: number) {
    pdf.font('Helvetica').fontSize(9).fillColor('#555')
    pdf.text('Date', COLUMNS.day, at).text('What', COLUMNS.what, at)
    right('Amount', COLUMNS.amount, at)
    right('Balance', COLUMNS.balance, at)
    return rule(at + 14)
  }

  function line({ day, what, about, amount, balance, isStrong }: Line) {
    const [first, second] = [write(what), about ? write(about) : '']
    const font = isStrong ? 'Helvetica-Bold' : 'Helvetica'
    const nameHeight = pdf.font(font).fontSize(10).heightOfString(first, { width: WHAT_WIDTH })
    const aboutHeight = second ? pdf.font('Helvetica').fontSize(9).heightOfString(second, { width: WHAT_WIDTH }) : 0
    if (y + nameHeight + aboutHeight > FOOT) {
      pdf.addPage()
      y = head(MARGIN)
    }
    pdf.font(font).fontSize(10).fillColor('#000')
    pdf.text(day, COLUMNS.day, y, { lineBreak: false }).text(first, COLUMNS.what, y, { width: WHAT_WIDTH })
    if (amount !== undefined) right(toLatin(showChange(amount)), COLUMNS.amount, y)
    if (balance !== undefined) right(toLatin(showBalance(signedCents(balance))), COLUMNS.balance, y)
    if (second)
      pdf
        .font('Helvetica')
        .fontSize(9)
        .fillColor('#555')
        .text(second, COLUMNS.what, y + nameHeight, { width: WHAT_WIDTH })
    y = rule(y + nameHeight + aboutHeight + 4)
  }

  function right(text: string, edge: number, at: number) {
    pdf.text(text, edge - pdf.widthOfString(text), at, { lineBreak: false })
  }

  function rule(at: number) {
    pdf
      .moveTo(MARGIN, at)
      .lineTo(MARGIN + WIDTH, at)
      .lineWidth(0.5)
      .strokeColor('#ccc')
      .stroke()
    return at + 6
  }

  function note(text: string) {
    const height = pdf.font('Helvetica').fontSize(9).heightOfString(toLatin(text), { width: WIDTH })
    if (y + height > FOOT) {
      pdf.addPage()
      y = MARGIN
    }
    pdf.fillColor('#555').text(toLatin(text), MARGIN, y, { width: WIDTH })
    y += height + 6
  }

  function number() {
    const { count } = pdf.bufferedPageRange()
    for (let page = 0; page < count; page++) {
      pdf.switchToPage(page)
      pdf.font('Helvetica').fontSize(9).fillColor('#555')
      pdf.text(`Page ${page + 1} of ${count}`, MARGIN, FOOT + 10, { lineBreak: false })
    }
  }
}

type Line = { day: string; what: string; about?: string; amount?: number; balance?: string; isStrong?: boolean }

const rowOf = (movement: Movement): Line => ({
  day: nameDay(movement.day),
  what: nameMovement(movement),
  about: describeMovement(movement),
  amount: signedCents(movement.amount),
  balance: movement.balance,
})
