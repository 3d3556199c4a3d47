import { useSyncExternalStore } from 'react'
import type { Drawn } from './query/firstView.ts'

let drawn: Drawn | undefined

export function setDrawn(given: Drawn) {
  drawn = given
}

export const drawnAt = (): number => drawn?.now ?? Date.now()

/** The data attributes that the server writes on the html element. */
export const htmlData = (): Record<string, string | undefined> =>
  typeof document === 'undefined' ? (drawn?.htmlData ?? {}) : document.documentElement.dataset

const never = () => () => {}

/** True on the server, and in the browser while React takes over what the server drew. */
export const useIsFirstView = (): boolean =>
  useSyncExternalStore(
    never,
    () => false,
    () => true,
  )
