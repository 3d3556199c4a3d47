import { storeName } from '../../kit/storeName.client.ts'
import { useNow } from '../../kit/useNow.ts'
import { formatClock } from '../../localisation/dates.rules.ts'
import '../../assistant/chat/chat.css'
import { signInPath } from '../../identity/leave.client.ts'
import { Landing } from './Landing.tsx'

/** The landing page after a session has ended while the app loaded. */
export function SignedOut() {
  const now = useNow(60_000)
  const { bonusTitle: title, bonusRule: rule } = document.documentElement.dataset
  const bonus = title && rule ? { title, rule } : undefined
  return <Landing name={storeName()} time={formatClock(now)} signIn={signInPath()} bonus={bonus} />
}
