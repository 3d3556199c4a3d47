import type { CSSProperties } from 'react'

/** The hue of a category, for elements with the class dot. */
export const hueOf = (categoryId: string): CSSProperties => ({ '--h': `var(--hue-${categoryId}, 235)` })
