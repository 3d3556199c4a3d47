import { diceOf, type Ink, motifOf, path, range, type Shape } from './cover.motifs.ts'

/** A cover on a ground of 320 x 240 units; `hue` in OKLCH degrees. */
export type Drawing = { ink: Ink; hue: number; shapes: Shape[] }

export type CoverOf = { id: string; categoryId: string; title: string }

/** The cover of a product, drawn from its category, id and title alone. It never changes. */
export function drawCover({ id, categoryId, title }: CoverOf): Drawing {
  const { hue, inks, draw } = motifOf(categoryId)
  const hash = hashOf(`${categoryId}:${id}`)
  return {
    ink: inks[hash % 3]!,
    hue: hue + ((hash >>> 8) % 25) - 12,
    shapes: [...draw(diceOf(hash), title), ...signature(hash)],
  }
}

/** Eight punched dots at the bottom left: the low bits of the hash. */
function signature(hash: number): Shape[] {
  const dots = (isPunched: boolean) =>
    range(8, (i) => ((((hash >>> i) & 1) === 1) === isPunched ? `M${19 + i * 9} 222h0` : '')).join('')
  return [path('s1', dots(true) + dots(false), 5.4), path('s0', dots(false), 3.6)]
}

/** FNV-1a with a final mix, 32 bits. */
function hashOf(text: string) {
  let hash = 2166136261
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 16777619)
  hash = Math.imul(hash ^ (hash >>> 15), 2246822519)
  return (hash ^ (hash >>> 13)) >>> 0
}

/**
 * Each ink's four steps from ground to counter-hue as [lightness, chroma, turn of the hue], and how far dark mode dims
 * its ground. cover.css repeats these figures, so that the theme can change them; a test compares the two.
 */
// prettier-ignore
export const inks: Record<Ink, { dimming: number; steps: [number, number, number][] }> = {
  deep: { dimming: 0.4, steps: [[0.33, 0.105, 0], [0.82, 0.1, 0], [0.955, 0.03, 0], [0.7, 0.16, 38]] },
  bold: { dimming: 1, steps: [[0.57, 0.175, 0], [0.93, 0.045, 0], [0.985, 0.012, 0], [0.86, 0.12, 48]] },
  tint: { dimming: 1.6, steps: [[0.87, 0.075, 0], [0.36, 0.115, 0], [0.975, 0.02, 0], [0.64, 0.18, -34]] },
  paper: { dimming: 2.2, steps: [[0.955, 0.022, 0], [0.43, 0.14, 0], [0.8, 0.095, 0], [0.67, 0.175, 40]] },
}

/** The rules of cover.css that do not depend on a colour. */
const STYLE =
  'path{stroke-linecap:round;stroke-linejoin:round}.dim{opacity:.42}.mid{text-anchor:middle}.end{text-anchor:end}' +
  '.big{paint-order:stroke;stroke-width:7;letter-spacing:-2px}'

/** The cover as an SVG document of 640 x 480 px with its colours inlined, for mail, previews and pictures. */
export function coverSvg({ ink, hue, shapes }: Drawing, mode: 'light' | 'dark' = 'light') {
  const { dimming, steps } = inks[ink]
  const dim = mode === 'dark' ? 0.06 * dimming : 0
  const colours = steps.map(([lightness, chroma, turn], i) =>
    rgbOf(i === 0 ? lightness - dim : lightness, chroma, hue + turn),
  )
  const paint = colours.map((colour, i) => `.f${i}{fill:${colour}}.s${i}{fill:none;stroke:${colour}}`).join('')
  const big = `.big{stroke:${colours[0]}${ink === 'tint' ? `;fill:${colours[1]}` : ''}}`
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480" viewBox="0 0 320 240" ' +
    `font-family="system-ui, 'Segoe UI', Roboto, Arial, sans-serif" font-weight="700">` +
    `<style>${STYLE}${paint}${big}</style><path class="f0" d="M0 0h320v240H0z"/>${shapes.map(elementOf).join('')}</svg>`
  )
}

function elementOf({ tag, className, children = '', ...attributes }: Shape): string {
  const written = Object.entries({ class: className, ...attributes })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}="${value}"`)
    .join('')
  const content = typeof children === 'string' ? escapeXml(children) : children.map(elementOf).join('')
  return `<${tag}${written}>${content}</${tag}>`
}

/** OKLCH to sRGB, clipped to sRGB (Ottosson's matrices). */
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

/** Escapes text for XML and drops characters that XML cannot carry (controls, lone surrogates). */
function escapeXml(text: string) {
  const held = text.toWellFormed().replace(/[^\t\n\r\x20-\ufffd\u{10000}-\u{10ffff}]/gu, '')
  return held.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
