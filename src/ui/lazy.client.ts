import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Returns the address of the script that failed to load. Firefox caches a failed module until the page is reloaded, so the next
 * attempt needs another address.
 */
export const addressOfFailed = (error: unknown): string | undefined =>
  error instanceof Error ? /https?:\/\/\S+\/assets\/\S+?\.js/.exec(error.message)?.[0] : undefined

type State = { isHere: boolean; failure?: { error: unknown } }

/**
 * The export `name` of a script that loads when it is first wanted. React's own lazy shows its fallback even for a loaded
 * script, and keeps a failed load for good. This one renders a loaded script at once, and loads a failed one again.
 */
export function lazy<K extends string, T>(load: () => Promise<Record<K, T>>, name: K) {
  let script: Record<K, T> | undefined
  let loading: Promise<void> | undefined
  let failed: string | undefined
  let attempts = 0
  const loadAnew = (address: string) =>
    import(/* @vite-ignore */ `${address}?again=${attempts}`) as Promise<Record<K, T>>
  const begin = () =>
    (loading ??= (failed ? loadAnew(failed) : load()).then(
      (loaded) => {
        if (!loaded[name]) throw new Error(`The module script has no ${name}`)
        script = loaded
      },
      (error: unknown) => {
        loading = undefined
        failed ??= addressOfFailed(error)
        attempts++
        throw error
      },
    ))

  /**
   * `value` is undefined until the script has loaded and `pause` has passed. `wanted` (true or a word) starts the load.
   * After a `failure`, a change of `wanted` or a call of `retry` loads again.
   */
  function useLoaded(wanted: boolean | string = true, pause?: () => Promise<unknown>) {
    const [{ isHere, failure }, setState] = useState<State>({ isHere: script !== undefined })
    const [tries, setTries] = useState(0)
    useEffect(() => {
      if (!wanted || isHere) return
      let isCurrent = true
      Promise.all([begin(), pause?.()]).then(
        () => isCurrent && setState({ isHere: true }),
        (error: unknown) => isCurrent && setState({ isHere: false, failure: { error } }),
      )
      return () => {
        isCurrent = false
      }
    }, [wanted, isHere, tries, pause])
    const retry = () => {
      setState({ isHere: false })
      setTries(tries + 1)
    }
    return { value: script?.[name] as T | undefined, failure, retry }
  }

  return {
    useLoaded,
    preload: () => begin().catch(() => undefined),
    isHere: () => script !== undefined,
    script: () => script,
  }
}

export function useRetryOnline({ failure, retry }: { failure?: unknown; retry: () => void }) {
  const again = useEffectEvent(retry)
  useEffect(() => {
    if (!failure) return
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [failure])
}
