/** How long a pointer rests before the first tooltip shows, in milliseconds. */
export const TOOLTIP_DELAY = 700
/** For how long after one has closed the next shows at once, in milliseconds. */
export const TOOLTIP_SKIP_DELAY = 300

/** Milliseconds to wait before a tooltip shows. */
export const tooltipDelay = (lastClosedAt: number, now: number): number =>
  now - lastClosedAt < TOOLTIP_SKIP_DELAY ? 0 : TOOLTIP_DELAY
