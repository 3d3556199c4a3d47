/** How long a pointer rests before the first tooltip opens, in milliseconds. */
export const TOOLTIP_DELAY = 700
/** How long after one closes the next opens at once, in milliseconds. */
export const TOOLTIP_SKIP_DELAY = 300

export const tooltipDelay = (lastClosedAt: number, now: number): number =>
  now - lastClosedAt < TOOLTIP_SKIP_DELAY ? 0 : TOOLTIP_DELAY
