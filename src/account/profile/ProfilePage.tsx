import { SlidersHorizontal } from 'lucide-react'
import { useEffect } from 'react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { isUnauthorized } from '../../kit/call.client.ts'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { Link } from '../../ui/Link.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { AccountActivity } from './AccountActivity.tsx'
import { Achievements } from './Achievements.tsx'
import { leaveForSignIn } from '../../identity/leave.client.ts'
import { MemberCard } from './MemberCard.tsx'

export function ProfilePage() {
  const { user, isLoading, error } = useSession()
  const isSignedOut = !isLoading && !user && isUnauthorized(error)
  useEffect(() => {
    if (isSignedOut) leaveForSignIn()
  }, [isSignedOut])
  return (
    <div className="section gap-6">
      <PageHead
        title="My Profile"
        action={
          <Link className="icon-btn" href="/settings" aria-label="Settings">
            <SlidersHorizontal className="icon" aria-hidden />
          </Link>
        }
      />
      {user ? (
        <div className="twocol">
          <MemberCard user={user} />
          <div className="stack gap-8">
            <AccountActivity user={user} />
            <Achievements user={user} />
          </div>
        </div>
      ) : (
        !isLoading && <EmptyState scene="torn" title="Unable to load profile" />
      )}
    </div>
  )
}
