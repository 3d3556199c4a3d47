// What the pages read ahead when a finger or a pointer comes near a link. Rooms call it; the app knows the pages.

let read = (_href: string) => {}

/** Sets how a page is read ahead: its script and its data. */
export function whenNear(run: (href: string) => void) {
  read = run
}

/** Reads the page behind `href` ahead, unless the customer asked to save data. */
export function prefetch(href: string) {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  // at once: browsers hold timers back while a finger is down, and would run them just before the press
  if (!connection?.saveData) read(href)
}
