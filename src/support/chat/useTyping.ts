import { useEffect, useRef } from 'react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { createStore, useStore } from '../../kit/store.client.ts'
import { namesOfTypingColleagues } from './typing.rules.ts'

/** How long a typing event is shown, and how often the browser sends it while a person types, in milliseconds. */
const HOLDS_MS = 6_000
export const SEND_EVERY_MS = 4_000

const typing = createStore<ReadonlySet<string>>(new Set())
const ends = new Map<string, ReturnType<typeof setTimeout>>()

export function handleTyping(who: string) {
  clearTimeout(ends.get(who))
  ends.set(who, setTimeout(endTyping, HOLDS_MS, who))
  typing.set(new Set(ends.keys()))
}

function endTyping(who: string) {
  clearTimeout(ends.get(who))
  if (ends.delete(who)) typing.set(new Set(ends.keys()))
}

export function useTyping(who: string, newestId: string | undefined): boolean {
  const isTyping = useStore(typing).has(who)
  useEffect(() => endTyping(who), [who, newestId])
  return isTyping
}

/** Returns the first names of colleagues who type to this customer, until one of them answers. */
export function useTypingColleagues(customerId: string, newestAnswerId: string | undefined): string[] {
  const { user } = useSession()
  const keys = useStore(typing)
  const before = useRef({ customerId, newestAnswerId })
  useEffect(() => {
    const isAnswered = before.current.customerId === customerId && before.current.newestAnswerId !== newestAnswerId
    before.current = { customerId, newestAnswerId }
    if (!isAnswered) return
    for (const key of ends.keys()) if (key.startsWith(`${customerId}:`)) endTyping(key)
  }, [customerId, newestAnswerId])
  return namesOfTypingColleagues(keys, customerId, user?.id)
}

/** Sends at most every four seconds. Ignores failures, because typing notices are optional. */
export function useSendTyping(send: () => Promise<unknown>): () => void {
  const sentAt = useRef(-Infinity)
  return () => {
    if (Date.now() - sentAt.current < SEND_EVERY_MS) return
    sentAt.current = Date.now()
    send().catch(() => undefined)
  }
}
