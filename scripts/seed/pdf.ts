/** A4 in points. */
export const PAGE = { width: 595, height: 842 }

export type Font = 'regular' | 'bold'

/** A PDF 1.7 of these pages, each given as PDF drawing operators. Uncompressed and without dates: the bytes never vary. */
export function pdf(title: string, pages: string[]): Buffer {
  const firstPage = 6
  const kids = pages.map((_, i) => `${firstPage + 2 * i} 0 R`)
  const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>',
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<< /Title <FEFF${Buffer.from(title, 'utf16le').swap16().toString('hex')}> >>`,
    ...pages.flatMap((content, i) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Contents ${firstPage + 2 * i + 1} 0 R /Resources << /Font << /regular 3 0 R /bold 4 0 R >> >> >>`,
      `<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`,
    ]),
  ]
  // The four bytes above 127 tell programs that move files that this one is not text.
  let text = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'
  const offsets = objects.map((object, i) => {
    const offset = text.length
    text += `${i + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  return Buffer.from(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  )
}

/** The operators that set one line of text with its baseline at (x, y), from the bottom left. */
export function line(text: string, x: number, y: number, size: number, font: Font = 'regular') {
  const escaped = winAnsi(text).replace(/[\\()]/g, '\\$&')
  return `BT /${font} ${size} Tf ${round(x)} ${round(y)} Td (${escaped}) Tj ET\n`
}

/** The text in lines no wider than `width` points; a word that is too wide by itself stands alone. */
export function wrap(text: string, width: number, size: number, font: Font = 'regular') {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const joined = lines.length ? `${lines.at(-1)} ${word}` : word
    if (lines.length && widthOf(joined, size, font) <= width) lines[lines.length - 1] = joined
    else lines.push(word)
  }
  return lines
}

// Helvetica's widths in thousandths of its size, from its published metrics; every other printable character has 556.
const widths = new Map(
  Object.entries({
    191: "'",
    222: 'ijl',
    260: '|',
    278: ' !,./:;I[\\]ft',
    333: '()-`r',
    334: '{}',
    355: '"',
    389: '*',
    469: '^',
    500: 'Jckvsxyz',
    584: '+<=>~',
    611: 'FTZ',
    667: '&ABEKPSVXY',
    722: 'CDHNRUw',
    778: 'GOQ',
    833: 'Mm',
    889: '%',
    944: 'W',
    1015: '@',
  }).flatMap(([width, letters]) => [...letters].map((letter): [string, number] => [letter, Number(width)])),
)

/** Points that a text takes; the bold face is taken as a tenth wider, a little more than it is. */
export function widthOf(text: string, size: number, font: Font = 'regular') {
  let width = 0
  for (const letter of text) width += widths.get(letter) ?? 556
  return (width * size * (font === 'bold' ? 1.1 : 1)) / 1000
}

const typographic: Record<string, string> = {
  '€': '\x80',
  '…': '\x85',
  '‘': '\x91',
  '’': '\x92',
  '“': '\x93',
  '”': '\x94',
  '•': '\x95',
  '–': '\x96',
  '—': '\x97',
}

/** Text in the encoding of the built-in fonts; what they cannot show becomes a question mark. */
const winAnsi = (text: string) => text.replace(/[^\x20-\x7e\xa1-\xff]/gu, (letter) => typographic[letter] ?? '?')

const round = (value: number) => Math.round(value * 100) / 100
