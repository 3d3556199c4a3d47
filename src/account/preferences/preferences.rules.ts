export const THEMES = [
  { id: 'royal-blue', name: 'Royal Blue' },
  { id: 'silver', name: 'Silver' },
  { id: 'purple', name: 'Purple' },
] as const
export type Theme = (typeof THEMES)[number]['id']

/** In percent of the browser's text size. */
export const TEXT_SIZES = [100, 125, 150, 175, 200] as const
export type TextSize = (typeof TEXT_SIZES)[number]

/** The look of the store. inline/firstPaint.js applies it before the first paint. */
export type Look = { theme: Theme; mode: 'light' | 'dark'; textSize: TextSize; canZoom: boolean }

export type Preferences = Look & {
  /** Auto Sync is on: the account stores the look. */
  isSynced: boolean
  isUnsent: boolean
  /** The account of the look. Null before the first sign-in. */
  owner: string | null
}

export const standard: Preferences = {
  theme: 'royal-blue',
  mode: 'light',
  textSize: 100,
  canZoom: false,
  isSynced: true,
  isUnsent: false,
  owner: null,
}

export function readPreferences(kept: string | null): Preferences {
  let given: Partial<Record<keyof Preferences, unknown>> = {}
  try {
    given = (JSON.parse(kept ?? '{}') ?? {}) as typeof given
  } catch {}
  return {
    theme: THEMES.find(({ id }) => id === given.theme)?.id ?? standard.theme,
    mode: given.mode === 'dark' ? 'dark' : 'light',
    textSize: TEXT_SIZES.find((size) => size === given.textSize) ?? standard.textSize,
    canZoom: given.canZoom === true,
    isSynced: given.isSynced !== false,
    isUnsent: given.isUnsent === true,
    owner: typeof given.owner === 'string' ? given.owner : null,
  }
}

export const lookOf = ({ theme, mode, textSize, canZoom }: Look): Look => ({ theme, mode, textSize, canZoom })

/**
 * Returns the action of a device at sign-in: 'send' its own look, 'take' the look of the account, or nothing. An unsent
 * change wins only if this account or a visitor made it.
 */
export function meet(device: Preferences, userId: string, account: Look | null): 'send' | 'take' | 'nothing' {
  if (!device.isSynced) return 'nothing'
  if (device.isUnsent && (device.owner === userId || device.owner === null)) return 'send'
  return account ? 'take' : 'nothing'
}
