import { useRef } from 'react'

/** Returns the idempotency key of a content: a repeated press sends the same key, a changed form a new key. */
export function useContentKey() {
  const keys = useRef(new Map<string, string>())
  return (content: unknown): string => {
    const text = JSON.stringify(content)
    const key = keys.current.get(text) ?? crypto.randomUUID()
    keys.current.set(text, key)
    return key
  }
}
