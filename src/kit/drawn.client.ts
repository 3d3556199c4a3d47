import { useSyncExternalStore } from 'react'

/** What the server drew the first view with. The browser draws the same with it, and only then what it knows better. */
export type Drawn = {
  /** Milliseconds since 1970. */
  now: number
  zone: string
  /** The data attributes of the page: the store's name and what the shop promises. */
  facts: Record<string, string | undefined>
}

let drawn: Drawn | undefined

export function setDrawn(given: Drawn) {
  drawn = given
}

export const drawnAt = (): number => drawn?.now ?? Date.now()

/** The data attributes that the server writes on the html element. */
export const facts = (): Record<string, string | undefined> =>
  typeof document === 'undefined' ? (drawn?.facts ?? {}) : document.documentElement.dataset

const never = () => () => {}

/** True on the server, and in the browser while React takes over what the server drew. */
export const useIsFirstView = (): boolean =>
  useSyncExternalStore(
    never,
    () => false,
    () => true,
  )
