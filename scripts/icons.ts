import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

// `node scripts/icons.ts` draws the icons of the installed shop from public/favicon.svg into public/icons/.

const PUBLIC = join(import.meta.dirname, '../public')
const mark = readFileSync(join(PUBLIC, 'favicon.svg'), 'utf8')
const [ticket, numeral] = [...mark.matchAll(/ d="([^"]+)"/g)].map(([, path]) => path!)
const [ink] = mark.match(/#[0-9a-f]{6}/)!

const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 30">${content}</svg>`
const centred = (scale: number, content: string) =>
  `<g transform="translate(15 15) scale(${scale}) translate(-15 -15)">${content}</g>`
const ticketIn = (paper: string, letter: string) =>
  `<path fill="${paper}" d="${ticket}"/><path fill="${letter}" d="${numeral}"/>`
const ground = (content: string) => svg(`<rect width="30" height="30" fill="${ink}"/>${content}`)

const icons = {
  192: [192, mark],
  512: [512, mark],
  // Masks keep at least a circle of four fifths.
  maskable: [512, ground(centred(0.62, ticketIn('#fff', ink)))],
  apple: [180, ground(centred(0.72, ticketIn('#fff', ink)))],
  // Android uses only the opacity of a badge.
  badge: [96, svg(`<path fill="#fff" fill-rule="evenodd" d="${ticket}${numeral}"/>`)],
} as const

mkdirSync(join(PUBLIC, 'icons'), { recursive: true })
for (const [name, [size, drawing]] of Object.entries(icons)) {
  const png = await sharp(Buffer.from(drawing), { density: (72 * size) / 30 })
    .resize(size, size)
    .png({ palette: true, effort: 10 })
    .toBuffer()
  writeFileSync(join(PUBLIC, `icons/${name}.png`), png)
  console.log(`${name}.png ${png.length} bytes`)
}
