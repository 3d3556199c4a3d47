import { useEffect } from 'react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { send } from '../../kit/call.ts'
import { fetchUsed } from '../../kit/call.client.ts'
import { useStore } from '../../kit/store.client.ts'
import { namesOfColleagues } from '../chat/typing.rules.ts'
import { typing } from '../chat/useTyping.ts'
import { createNotices } from './notices.client.ts'
import { sendHere } from './presence.contract.ts'

const SEND_EVERY_MS = 3_000
/** Two notices may be lost. */
const HOLDS_MS = 8_000

const here = createNotices(HOLDS_MS)
export const handleHere = here.handle

/**
 * Notifies colleagues while the page of a conversation is visible. Ignores failures and asks for no proof of identity,
 * because the notices are optional.
 */
export function useSendHere(userId: string) {
  useEffect(() => {
    const notify = () => {
      if (!document.hidden) send(sendHere, { userId }, { fetch: fetchUsed }).catch(() => undefined)
    }
    notify()
    const timer = setInterval(notify, SEND_EVERY_MS)
    document.addEventListener('visibilitychange', notify)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', notify)
    }
  }, [userId])
}

/** Returns the first names of colleagues who have this conversation open and do not type. */
export function useColleaguesHere(customerId: string): string[] {
  const { user } = useSession()
  const typed = useStore(typing.keys)
  const keys = [...useStore(here.keys)].filter((key) => !typed.has(key))
  return namesOfColleagues(keys, customerId, user?.id)
}
