import type { CSSProperties } from 'react'

export const hueOf = (categoryId: string): CSSProperties => ({ '--h': `var(--hue-${categoryId}, 235)` })
