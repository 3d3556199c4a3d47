export const THEMES = [
  { id: 'royal-blue', name: 'Royal Blue' },
  { id: 'silver', name: 'Silver' },
  { id: 'purple', name: 'Purple' },
] as const
export type Theme = (typeof THEMES)[number]['id']

/** Percent of the browser's own text size. */
export const TEXT_SIZES = [100, 125, 150, 175, 200] as const
export type TextSize = (typeof TEXT_SIZES)[number]

/** How the shop looks on this device. inline/firstPaint.js applies the same before anything is drawn. */
export type Preferences = { theme: Theme; mode: 'light' | 'dark'; textSize: TextSize; canZoom: boolean }

export const standard: Preferences = { theme: 'royal-blue', mode: 'light', textSize: 100, canZoom: false }

/** Reads what the device kept; anything that is not understood is as if it had never been set. */
export function readPreferences(kept: string | null): Preferences {
  let given: Partial<Record<keyof Preferences, unknown>> = {}
  try {
    given = (JSON.parse(kept ?? '{}') ?? {}) as typeof given
  } catch {
    // not ours: the standard
  }
  return {
    theme: THEMES.find(({ id }) => id === given.theme)?.id ?? standard.theme,
    mode: given.mode === 'dark' ? 'dark' : 'light',
    textSize: TEXT_SIZES.find((size) => size === given.textSize) ?? standard.textSize,
    canZoom: given.canZoom === true,
  }
}
