import { createHash } from 'node:crypto'
import type { Good, Section } from './good.ts'
import { type Font, line, PAGE, pdf, widthOf, wrap } from './pdf.ts'
import { voucherNotice } from './vouchers.ts'

const LEFT = 64
const WIDTH = PAGE.width - 2 * LEFT

/** A guide on A4: title, description and sections, on as many pages as they need. */
export function guidePdf({ title, description }: Good, sections: Section[]): Buffer {
  const pages = ['']
  let y = PAGE.height - 96
  const set = (text: string, size: number, font: Font, before: number) => {
    y -= before
    for (const part of wrap(text, WIDTH, size, font)) {
      if (y < 80) {
        pages.push('')
        y = PAGE.height - 80
      }
      pages[pages.length - 1] += line(part, LEFT, y, size, font)
      y -= size * 1.45
    }
  }
  set(title, 26, 'bold', 0)
  set(description, 11, 'regular', 6)
  for (const { heading, paragraphs } of sections) {
    set(heading, 15, 'bold', 22)
    for (const paragraph of paragraphs) set(paragraph, 11, 'regular', 6)
  }
  return pdf(
    title,
    pages.map((page, i) => `${page}0.4 g\n${line(`From a demo store. Page ${i + 1} of ${pages.length}`, LEFT, 48, 9)}`),
  )
}

/** A voucher on one A4 page: a ticket that says loudest what it is not. */
export function voucherPdf({ title, description, price, slug }: Good): Buffer {
  const [left, bottom, width, height] = [LEFT, 440, WIDTH, 300]
  const tear = left + width - 130
  const number = createHash('sha256')
    .update(`ticket ${slug}`)
    .digest('hex')
    .slice(0, 12)
    .toUpperCase()
    .match(/.{4}/g)!
    .join(' ')
  const amount = `$${price}`
  const content = [
    `0.96 0.95 0.92 rg 0.2 0.2 0.24 RG 1 w\n${outline(left, bottom, width, height, tear)}B\n`,
    `[4 5] 0 d ${tear} ${bottom + 16} m ${tear} ${bottom + height - 16} l S [] 0 d\n`,
    `0.2 0.2 0.24 rg ${left} ${bottom + height - 56} ${tear - left} 34 re f 1 g\n`,
    line('DEMO VOUCHER - no cash value', left + 20, bottom + height - 44, 16, 'bold'),
    '0.12 g\n',
    ...wrap(title, tear - left - 40, 16, 'bold').map((part, i) =>
      line(part, left + 20, bottom + 206 - i * 20, 16, 'bold'),
    ),
    line(amount, left + 20, bottom + 92, 48, 'bold'),
    line(`Specimen number ${number}`, left + 20, bottom + 40, 11),
    line('DEMO', tear + (130 - widthOf('DEMO', 22, 'bold')) / 2, bottom + 160, 22, 'bold'),
    line('not for payment', tear + (130 - widthOf('not for payment', 11)) / 2, bottom + 140, 11),
    ...wrap(description.replace(voucherNotice, '').trim(), WIDTH, 11).map((part, i) =>
      line(part, LEFT, 396 - i * 16, 11),
    ),
    ...wrap(voucherNotice, WIDTH, 10, 'bold').map((part, i) => line(part, LEFT, 330 - i * 15, 10, 'bold')),
  ]
  return pdf(title, [content.join('')])
}

/** A rectangle with half circles cut from its edges at both ends of the tear. */
function outline(left: number, bottom: number, width: number, height: number, tear: number) {
  const r = 10
  const k = r * 0.5523
  const top = bottom + height
  return [
    `${left} ${bottom} m ${tear - r} ${bottom} l`,
    `${tear - r} ${bottom + k} ${tear - k} ${bottom + r} ${tear} ${bottom + r} c`,
    `${tear + k} ${bottom + r} ${tear + r} ${bottom + k} ${tear + r} ${bottom} c`,
    `${left + width} ${bottom} l ${left + width} ${top} l ${tear + r} ${top} l`,
    `${tear + r} ${top - k} ${tear + k} ${top - r} ${tear} ${top - r} c`,
    `${tear - k} ${top - r} ${tear - r} ${top - k} ${tear - r} ${top} c`,
    `${left} ${top} l h\n`,
  ].join('\n')
}
