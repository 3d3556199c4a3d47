let read = (_href: string) => {}

export function whenNear(run: (href: string) => void) {
  read = run
}

export function prefetch(href: string) {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  // prefetches without a timer, because browsers delay timers during a touch
  if (!connection?.saveData) read(href)
}
