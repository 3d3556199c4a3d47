import { startTransition, useEffect, useState } from 'react'
import { serverNow, setServerTime } from './clock/clock.client.ts'
import type { Drawn } from './query/firstView.ts'

let drawn: Drawn | undefined
let isFirstView = false

export function setDrawn(given: Drawn) {
  drawn = given
  isFirstView = true
  if (typeof document !== 'undefined') setServerTime(given.now)
}

export function endFirstView() {
  isFirstView = false
}

export const drawnAt = (): number => drawn?.now ?? serverNow()

export const htmlData = (): Record<string, string | undefined> =>
  typeof document === 'undefined' ? (drawn?.htmlData ?? {}) : document.documentElement.dataset

/**
 * True on the server, and in the browser while React takes over what the server drew. What changes after that is drawn in
 * slices, so that a slow phone answers presses meanwhile.
 */
export function useIsFirstView(): boolean {
  const [isFirst, setFirst] = useState(isFirstView)
  useEffect(() => {
    if (isFirst) startTransition(() => setFirst(false))
  }, [isFirst])
  return isFirst
}
