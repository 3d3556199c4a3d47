import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { required } from '../../../kit/values/required.ts'
import { PAPERS } from './look.rules.ts'

// The contrast of each paper, computed from the style sheet as in WCAG 2.2.

const css = readFileSync(join(import.meta.dirname, 'papers.css'), 'utf8')

type Colour = [lightness: number, chroma: number, hue: number]

function colourOf(paper: string, name: string): Colour {
  const [, block] = required(new RegExp(`\\[data-paper='${paper}'\\] \\{([^}]*)\\}`).exec(css), `the paper ${paper}`)
  const found = new RegExp(`--${name}: oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)`).exec(required(block, 'its colours'))
  return required(found, `${name} of ${paper}`).slice(1).map(Number) as Colour
}

/** Relative luminance of an OKLCH colour: OKLCH to linear sRGB with the matrices of CSS Color 4. */
function luminanceOf([lightness, chroma, hue]: Colour): number {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s
  const green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s
  const blue = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s
  const [r = 0, g = 0, c = 0] = [red, green, blue].map((part) => Math.min(1, Math.max(0, part)))
  return 0.2126 * r + 0.7152 * g + 0.0722 * c
}

function contrastOf(one: Colour, other: Colour): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

test.each([
  ['black on white', [0, 0, 0], [1, 0, 0], 21],
  ['a colour on itself', [0.5, 0.1, 80], [0.5, 0.1, 80], 1],
  // #767676 is the lightest grey with 4.5:1 on white
  ['#767676 on white', [0.5665, 0, 0], [1, 0, 0], 4.54],
] as [string, Colour, Colour, number][])('computes the contrast of %s', (_, one, other, contrast) => {
  expect(contrastOf(one, other)).toBeCloseTo(contrast, 1)
})

const PAIRS = [
  ['fg', 'bg'],
  ['fg', 'card'],
  ['fg', 'sunk'],
  ['muted', 'bg'],
  ['muted', 'card'],
  ['primary', 'bg'],
  ['on-primary', 'primary'],
  ['on-soft', 'soft'],
] as const

test.each(PAPERS.flatMap(({ value }) => PAIRS.map(([ink, ground]) => [value, ink, ground] as const)))(
  'the paper %s shows %s on %s with a contrast of at least 4.5',
  (paper, ink, ground) => {
    expect(contrastOf(colourOf(paper, ink), colourOf(paper, ground))).toBeGreaterThanOrEqual(4.5)
  },
)
