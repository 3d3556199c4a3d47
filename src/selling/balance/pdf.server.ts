import { signedUsd } from '../../localisation/usd.rules.ts'
import { signedCents } from '../../kit/money.ts'
import { makePdf, type Row } from '../../kit/pdf/paper.server.ts'
import type { Movement, Statement } from './balance.contract.ts'
import {
  describeMovement,
  netCents,
  nameDay,
  nameMonth,
  nameMovement,
  shortenName,
  showChange,
} from './statement.rules.ts'

const COLUMNS = [
  { name: 'Date', width: 48 },
  { name: 'What' },
  { name: 'Amount', width: 84, isRight: true },
  { name: 'Balance', width: 84, isRight: true },
]

export function toPdf({
  account,
  statement,
  seller,
  storeName,
}: {
  account: string
  statement: Statement
  seller: string
  storeName: string
}): Promise<Buffer> {
  const { month, opening, closing, movements, isSummedUp } = statement
  const title = `Statement, ${nameMonth(month)}`
  return makePdf({ account, title, author: storeName, createdAt: new Date() }, (paper) => {
    paper.heading(1, title)
    paper.paragraph(`Sold at ${storeName} by ${seller}. In US dollars, days in UTC.`, { isMuted: true })
    paper.table(COLUMNS, [
      strong(nameDay(`${month}-01`), 'Balance before', '', opening),
      ...movements.map(rowOf),
      strong('', 'Balance after', '', closing),
    ])
    paper.paragraph(`Net in ${nameMonth(month)}: ${showChange(netCents(statement))}`)
    if (isSummedUp)
      paper.paragraph(
        'The month has too many lines for this document, so each day is summed up. The CSV has every product.',
        { isMuted: true },
      )
    paper.noteUnknownLetters(
      'Letters that this document’s font does not have are shown as a question mark. The CSV has them.',
    )
  })
}

const strong = (day: string, what: string, amount: string, balance: string): Row => ({
  cells: [day, what, amount, signedUsd(signedCents(balance))].map((text) => ({ text })),
  isStrong: true,
})

const rowOf = (movement: Movement): Row => {
  const small = describeMovement(movement)
  return {
    cells: [
      { text: nameDay(movement.day) },
      { text: shortenName(nameMovement(movement)), ...(small && { small: shortenName(small) }) },
      { text: showChange(signedCents(movement.amount)) },
      { text: signedUsd(signedCents(movement.balance)) },
    ],
  }
}
