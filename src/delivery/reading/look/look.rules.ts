// How a reader shows text on this device.

export const PAPERS = [
  { value: 'white', label: 'Day' },
  { value: 'sepia', label: 'Sepia' },
  { value: 'grey', label: 'Dusk' },
  { value: 'night', label: 'Night' },
] as const
export type Paper = (typeof PAPERS)[number]['value']

export const FONTS = [
  { value: 'book', label: 'Book' },
  { value: 'plain', label: 'Plain' },
  { value: 'wide', label: 'Wide' },
] as const
export type Font = (typeof FONTS)[number]['value']

export const MARGINS = [
  { value: 'narrow', label: 'Narrow' },
  { value: 'usual', label: 'Usual' },
  { value: 'broad', label: 'Wide' },
] as const
export type Margin = (typeof MARGINS)[number]['value']

/** Sizes of the text, as a factor. */
export const [MIN_SIZE, MAX_SIZE, SIZE_STEP] = [0.875, 1.75, 0.125]

/** Without a paper, the reader has the colours of the shop. */
export type Look = { paper: Paper | null; font: Font; margin: Margin; size: number }

export const FIRST_LOOK: Look = { paper: null, font: 'book', margin: 'usual', size: 1 }

const choose = <V extends string>(options: readonly { value: V }[], value: unknown): V | undefined =>
  options.find((option) => option.value === value)?.value

/** Reads a stored look. Replaces missing and unknown values by defaults. */
export function readLook(stored: unknown): Look {
  const { paper, font, margin, size } = (stored ?? {}) as Partial<Record<keyof Look, unknown>>
  return {
    paper: choose(PAPERS, paper) ?? FIRST_LOOK.paper,
    font: choose(FONTS, font) ?? FIRST_LOOK.font,
    margin: choose(MARGINS, margin) ?? FIRST_LOOK.margin,
    size: typeof size === 'number' && size >= MIN_SIZE && size <= MAX_SIZE ? size : FIRST_LOOK.size,
  }
}
