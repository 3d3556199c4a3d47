/** Milliseconds that a pointer rests before the first tooltip opens. */
export const TOOLTIP_DELAY = 700
/** Milliseconds after a tooltip closes in which the next tooltip opens at once. */
export const TOOLTIP_SKIP_DELAY = 300

export const tooltipDelay = (lastClosedAt: number, now: number): number =>
  now - lastClosedAt < TOOLTIP_SKIP_DELAY ? 0 : TOOLTIP_DELAY
