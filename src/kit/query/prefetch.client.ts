let read = (_href: string) => {}

export function whenNear(run: (href: string) => void) {
  read = run
}

export function prefetch(href: string) {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  // no timer: browsers delay timers while a finger is down
  if (!connection?.saveData) read(href)
}
