/** The clock of the outside services. If a drill shifts the shop's `Date`, the real clock is in `Date.right`. */
export const readClockMs = (): number => ((Date as { right?: DateConstructor }).right ?? Date).now()
