import { useEffect, useEffectEvent, useState } from 'react'

/** Returns the URL of the script that failed to load. Firefox caches a failed module, so a retry needs a new URL. */
export const addressOfFailed = (error: unknown): string | undefined =>
  error instanceof Error ? /https?:\/\/\S+\/assets\/\S+?\.js/.exec(error.message)?.[0] : undefined

type State = { isHere: boolean; failure?: { error: unknown } }

/**
 * Loads the export `name` of a script on demand. Unlike React.lazy, it renders a loaded script without a fallback and
 * can retry a failed load.
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
   * `value` is undefined until the script has loaded and `pause` has resolved. A truthy `wanted` starts the load.
   * After a `failure`, a change of `wanted` or a call of `retry` starts another attempt.
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
