import { Check, Plus } from 'lucide-react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { Button } from '../../ui/Button.tsx'
import type { Seller } from '../storefront/storefront.contract.ts'
import { follow, unfollow, useFollowed } from './useFollows.ts'

type FollowButtonProps = { seller: Pick<Seller, 'id' | 'name' | 'handle' | 'canFollow'> }

/** Renders nothing on one's own page, and on that of a suspended seller whom the member does not follow. */
export function FollowButton({ seller: { canFollow, id, name, handle } }: FollowButtonProps) {
  const { user } = useSession()
  const { data: list, isPending } = useFollowed()
  const followed = list?.find((one) => one.id === id)
  if (user?.id === id || !(canFollow || followed)) return null
  return (
    <div className="row">
      <Button
        tone={followed ? 'line' : 'primary'}
        icon={followed ? <Check className="icon" aria-hidden /> : <Plus className="icon" aria-hidden />}
        isBusy={isPending}
        aria-pressed={followed !== undefined}
        onClick={() =>
          void (followed ? unfollow(followed, 'seller_page') : follow({ id, name, handle }, 'seller_page'))
        }
      >
        {followed ? 'Following' : 'Follow'}
      </Button>
      <span className="muted small grow">We mail you when they publish something new.</span>
    </div>
  )
}
