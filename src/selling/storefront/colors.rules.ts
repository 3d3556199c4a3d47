// The colours of a seller's page. A seller chooses two; this file computes those of both modes, so that all text has
// enough contrast.

/** The minimum contrast of text on its background (WCAG 2.2, AA). */
export const MIN_CONTRAST = 4.5

/** The darkest background of the light modes and the lightest of the dark modes, with a margin. */
export const LIGHT_GROUND = '#e6e8f0'
export const DARK_GROUND = '#33333d'

/** The maximum luminance of the header in dark mode. */
const MAX_DARK_LUMINANCE = 0.16
const STEPS = 32

const WHITE = '#ffffff'
const BLACK = '#000000'

const channelsOf = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))

export function luminanceOf(hex: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(hex).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Returns the text colour with more contrast. The contrast is at least 4.58 on any background, the root of 21. */
export const inkOn = (ground: string): string =>
  contrastOf(ground, WHITE) >= contrastOf(ground, BLACK) ? WHITE : BLACK

function mix(from: string, to: string, share: number): string {
  const target = channelsOf(to)
  const mixed = channelsOf(from).map((value, i) => Math.round(value + ((target[i] ?? 0) - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** Returns the first colour between `color` and `end` that fits, or `end`. */
function moveUntil(color: string, end: string, fits: (mixed: string) => boolean): string {
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(color, end, step / STEPS)
    if (fits(mixed)) return mixed
  }
  return end
}

const readableOn =
  (...grounds: string[]) =>
  (color: string) =>
    grounds.every((ground) => contrastOf(color, ground) >= MIN_CONTRAST)

type Mode = 'light' | 'dark'

/** The background and the text colour of the header. Dark mode dims a bright background. */
export function headerIn(mode: Mode, color: string) {
  const ground = mode === 'light' ? color : moveUntil(color, BLACK, (mixed) => luminanceOf(mixed) <= MAX_DARK_LUMINANCE)
  return { ground, ink: inkOn(ground) }
}

/** The accent and its softer form, each with its text colour. Both are readable on every background of the page. */
export function accentIn(mode: Mode, color: string) {
  const [ground, end, far] = mode === 'light' ? [LIGHT_GROUND, BLACK, WHITE] : [DARK_GROUND, WHITE, BLACK]
  const accent = moveUntil(color, end, readableOn(ground))
  const soft = mix(accent, far, mode === 'light' ? 0.88 : 0.72)
  return {
    ...{ accent, pressed: mix(accent, end, 0.12), onAccent: inkOn(accent) },
    ...{ soft, onSoft: moveUntil(accent, end, readableOn(soft)) },
  }
}

type Vars = Record<`--${string}`, string>

const both = (light: string, dark: string) => `light-dark(${light}, ${dark})`

/** The custom properties of a page with these colours. A missing colour is the colour of the shop. */
export function varsOf({ headerColor, accentColor }: { headerColor: string | null; accentColor: string | null }): Vars {
  const vars: Vars = {}
  if (headerColor !== null) {
    const [light, dark] = [headerIn('light', headerColor), headerIn('dark', headerColor)]
    vars['--head'] = both(light.ground, dark.ground)
    vars['--on-head'] = both(light.ink, dark.ink)
  }
  if (accentColor !== null) {
    const [light, dark] = [accentIn('light', accentColor), accentIn('dark', accentColor)]
    vars['--primary'] = both(light.accent, dark.accent)
    vars['--pressed'] = both(light.pressed, dark.pressed)
    vars['--on-primary'] = both(light.onAccent, dark.onAccent)
    vars['--soft'] = both(light.soft, dark.soft)
    vars['--on-soft'] = both(light.onSoft, dark.onSoft)
  }
  return vars
}
