import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  accentIn,
  contrastOf,
  DARK_GROUND,
  headerIn,
  inkOn,
  LIGHT_GROUND,
  luminanceOf,
  MIN_CONTRAST,
  varsOf,
} from './colors.rules.ts'

const color = fc
  .tuple(...[1, 2, 3].map(() => fc.integer({ min: 0, max: 255 })))
  .map((channels) => `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`)
const mode = fc.constantFrom('light' as const, 'dark' as const)

test.each([
  ['#ffffff', '#000000', 21],
  ['#ffffff', '#767676', 4.54],
  ['#123456', '#123456', 1],
])('the contrast of %s and %s is %d', (one, other, contrast) => {
  expect(contrastOf(one, other)).toBeCloseTo(contrast, 2)
  expect(contrastOf(other, one)).toBeCloseTo(contrast, 2)
})

test('text on any two colours has enough contrast in both modes', () => {
  fc.assert(
    fc.property(color, mode, (chosen, shown) => {
      const { ground, ink } = headerIn(shown, chosen)
      expect(contrastOf(ground, ink)).toBeGreaterThanOrEqual(MIN_CONTRAST)
      const { accent, pressed, onAccent, soft, onSoft } = accentIn(shown, chosen)
      expect(contrastOf(accent, onAccent)).toBeGreaterThanOrEqual(MIN_CONTRAST)
      expect(contrastOf(pressed, onAccent)).toBeGreaterThanOrEqual(MIN_CONTRAST)
      expect(contrastOf(soft, onSoft)).toBeGreaterThanOrEqual(MIN_CONTRAST)
      // the accent is the colour of links
      const page = shown === 'light' ? LIGHT_GROUND : DARK_GROUND
      expect(contrastOf(accent, page)).toBeGreaterThanOrEqual(MIN_CONTRAST)
      expect(contrastOf(accent, shown === 'light' ? '#ffffff' : '#000000')).toBeGreaterThanOrEqual(MIN_CONTRAST)
    }),
    { numRuns: 2000 },
  )
})

test('the light mode shows the chosen header, and the dark mode dims a bright one', () => {
  expect(headerIn('light', '#ffe066')).toEqual({ ground: '#ffe066', ink: '#000000' })
  const dimmed = headerIn('dark', '#ffe066')
  expect(luminanceOf(dimmed.ground)).toBeLessThanOrEqual(0.16)
  expect(dimmed.ink).toBe('#ffffff')
  expect(headerIn('dark', '#102030')).toEqual({ ground: '#102030', ink: '#ffffff' })
})

test('does not change a readable accent', () => {
  expect(accentIn('light', '#1a3d7c').accent).toBe('#1a3d7c')
  expect(accentIn('dark', '#b8d0ff').accent).toBe('#b8d0ff')
  expect(inkOn('#1a3d7c')).toBe('#ffffff')
})

test('a page without colours changes no property of the shop', () => {
  expect(varsOf({ headerColor: null, accentColor: null })).toEqual({})
  expect(Object.keys(varsOf({ headerColor: '#102030', accentColor: null }))).toEqual(['--head', '--on-head'])
})

/** The luminance of an OKLCH colour. */
function luminanceOfOklch(lightness: number, chroma: number, hue: number): number {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const red = 4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short
  const green = -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short
  const blue = -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test('no background of a theme is darker or lighter than the rule assumes', () => {
  const tokens = readFileSync(join(import.meta.dirname, '../../ui/tokens.css'), 'utf8')
  const OKLCH = String.raw`oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)`
  const grounds = [
    ...tokens.matchAll(new RegExp(`--(?:bg|backdrop|card|raised|sunk): light-dark\\(${OKLCH}, ${OKLCH}\\)`, 'g')),
  ].map(([, ...numbers]) => numbers.map(Number))
  expect(grounds.length).toBeGreaterThanOrEqual(15)
  for (const [l = 0, c = 0, h = 0, darkL = 0, darkC = 0, darkH = 0] of grounds) {
    expect(luminanceOfOklch(l, c, h)).toBeGreaterThan(luminanceOf(LIGHT_GROUND))
    expect(luminanceOfOklch(darkL, darkC, darkH)).toBeLessThan(luminanceOf(DARK_GROUND))
  }
})
