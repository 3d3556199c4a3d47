import { useEffect, useRef } from 'react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { useStore } from '../../kit/store.client.ts'
import { createNotices } from '../presence/notices.client.ts'
import { namesOfColleagues } from './typing.rules.ts'

/** How long a typing event is shown, and how often the browser sends it while a person types, in milliseconds. */
const HOLDS_MS = 6_000
export const SEND_EVERY_MS = 4_000

export const typing = createNotices(HOLDS_MS)
export const handleTyping = typing.handle

export function useTyping(who: string, newestId: string | undefined): boolean {
  const isTyping = useStore(typing.keys).has(who)
  useEffect(() => typing.end(who), [who, newestId])
  return isTyping
}

/** Returns the first names of colleagues who type to this customer, until one of them answers. */
export function useTypingColleagues(customerId: string, newestAnswerId: string | undefined): string[] {
  const { user } = useSession()
  const keys = useStore(typing.keys)
  const before = useRef({ customerId, newestAnswerId })
  useEffect(() => {
    const isAnswered = before.current.customerId === customerId && before.current.newestAnswerId !== newestAnswerId
    before.current = { customerId, newestAnswerId }
    if (!isAnswered) return
    for (const key of typing.keys.read()) if (key.startsWith(`${customerId}:`)) typing.end(key)
  }, [customerId, newestAnswerId])
  return namesOfColleagues(keys, customerId, user?.id)
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
