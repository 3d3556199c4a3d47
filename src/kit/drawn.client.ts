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
 * Returns true on the server and during hydration. The render after hydration is a transition, so that a slow phone
 * responds to presses meanwhile.
 */
export function useIsFirstView(): boolean {
  const [isFirst, setFirst] = useState(isFirstView)
  useEffect(() => {
    if (isFirst) startTransition(() => setFirst(false))
  }, [isFirst])
  return isFirst
}
