import { useEffect, useRef } from 'react'

/** Loads more entries of a list, then focuses the first new entry, because the pressed button has moved or is gone. */
export function useReadMore<List extends HTMLElement = HTMLUListElement>(
  readMore: (() => Promise<unknown>) | null,
  onFailure: (error: unknown) => void,
) {
  const list = useRef<List>(null)
  const seen = useRef<Set<Element>>(null)
  useEffect(() => {
    const fresh = seen.current && [...(list.current?.children ?? [])].find((entry) => !seen.current?.has(entry))
    if (!fresh) return
    seen.current = null
    fresh.querySelector('a')?.focus()
  })
  const readOn = async () => {
    seen.current = new Set(list.current?.children)
    try {
      await readMore?.()
    } catch (error) {
      seen.current = null
      onFailure(error)
    }
  }
  return { list, readOn: () => void readOn() }
}
