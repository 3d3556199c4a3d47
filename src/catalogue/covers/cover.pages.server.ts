import { escapeHtml, type Html, trustedHtml } from '../../kit/html.server.ts'
import type { Ink, Shape } from './cover.motifs.ts'
import { type CoverOf, drawCover } from './cover.rules.ts'

// Covers outside the app: in the landing page, whose style sheet has the colours, and in link previews.

export function coverHtml(product: CoverOf): Html {
  const { ink, hue, shapes } = drawCover(product)
  const shown = shapes.map(elementOf).join('')
  return trustedHtml(
    `<svg class="cover cover--${ink}" style="--h:${hue}" viewBox="0 0 320 240" aria-hidden="true">${shown}</svg>`,
  )
}

/** Each ink from ground to counter-hue as [lightness, chroma, hue offset]. A test compares them with cover.css. */
// prettier-ignore
export const inks: Record<Ink, [number, number, number][]> = {
  deep: [[0.33, 0.105, 0], [0.82, 0.1, 0], [0.955, 0.03, 0], [0.7, 0.16, 38]],
  bold: [[0.57, 0.175, 0], [0.93, 0.045, 0], [0.985, 0.012, 0], [0.86, 0.12, 48]],
  tint: [[0.87, 0.075, 0], [0.36, 0.115, 0], [0.975, 0.02, 0], [0.64, 0.18, -34]],
  paper: [[0.955, 0.022, 0], [0.43, 0.14, 0], [0.8, 0.095, 0], [0.67, 0.175, 40]],
}

const STYLE =
  'path{stroke-linecap:round;stroke-linejoin:round}.dim{opacity:.42}.mid{text-anchor:middle}.end{text-anchor:end}' +
  '.big{paint-order:stroke;stroke-width:7;letter-spacing:-2px}'

/** Renders the cover with its colours as an SVG document in the shape of a link preview. Its ground fills the sides. */
export function coverSvg(product: CoverOf, { width, height }: { width: number; height: number }): string {
  const { ink, hue, shapes } = drawCover(product)
  const colours = inks[ink].map(([lightness, chroma, turn]) => rgbOf(lightness, chroma, hue + turn))
  const paint = colours.map((colour, i) => `.f${i}{fill:${colour}}.s${i}{fill:none;stroke:${colour}}`).join('')
  const big = `.big{stroke:${colours[0]}${ink === 'tint' ? `;fill:${colours[1]}` : ''}}`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 320 240" ` +
    `font-family="system-ui, 'Segoe UI', Roboto, Arial, sans-serif" font-weight="700"><style>${STYLE}${paint}${big}</style>` +
    `<path class="f0" d="M-160 0h640v240h-640z"/>${shapes.map(elementOf).join('')}</svg>`
  )
}

function elementOf({ tag, className, children = '', ...attributes }: Shape): string {
  const written = Object.entries({ class: className, ...attributes })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}="${value}"`)
    .join('')
  const content = typeof children === 'string' ? escapeHtml(legible(children)) : children.map(elementOf).join('')
  return `<${tag}${written}>${content}</${tag}>`
}

/** Removes characters that XML forbids: control characters and lone surrogates. */
const legible = (text: string) => text.toWellFormed().replace(/[^\t\n\r\x20-\ufffd\u{10000}-\u{10ffff}]/gu, '')

/** Converts OKLCH to sRGB and clips it (Ottosson's matrices). */
function rgbOf(lightness: number, chroma: number, hue: number) {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((linear) => (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055))
  return `rgb(${channels.map((channel) => Math.round(255 * Math.min(1, Math.max(0, channel)))).join(', ')})`
}
