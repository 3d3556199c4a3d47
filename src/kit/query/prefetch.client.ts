// Prefetches a page when a finger or pointer comes near its link. Rooms call it; the app knows the pages.

let read = (_href: string) => {}

export function whenNear(run: (href: string) => void) {
  read = run
}

/** Does nothing for customers who save data. */
export function prefetch(href: string) {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  // no timer: browsers delay timers while a finger is down
  if (!connection?.saveData) read(href)
}
