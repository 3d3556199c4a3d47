import { useEffect, useState } from 'react'

/**
 * Something that the first paint does not wait for. `use` answers it once it is here, and from then on at once: React's
 * own lazy would show the fallback first and hold it for a while. What cannot be loaded stays away until it is asked for
 * again.
 */
export function late<T>(load: () => Promise<T>) {
  let here: T | undefined
  let loading: Promise<T | undefined> | undefined
  /** Never rejects: what could not be loaded is undefined. */
  const begin = () =>
    (loading ??= load().then(
      (loaded) => {
        here = loaded
        return loaded
      },
      () => {
        loading = undefined
        return undefined
      },
    ))
  const use = (): T | undefined => {
    const [, setHere] = useState(here !== undefined)
    useEffect(() => {
      if (here === undefined) void begin().then(() => setHere(true))
    }, [])
    return here
  }
  return { begin, use }
}
