import { Check, Plus } from 'lucide-react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { Button } from '../../ui/Button.tsx'
import type { Seller } from '../storefront/storefront.contract.ts'
import { follow, unfollowWithUndo, useFollowed } from './useFollows.ts'

type FollowButtonProps = { seller: Pick<Seller, 'id' | 'name' | 'handle' | 'canFollow'> }

/** Hidden from the seller of the page, and from members who do not follow a suspended seller. */
export function FollowButton({ seller: { canFollow, id, name, handle } }: FollowButtonProps) {
  const { user } = useSession()
  const { data: list, isError, refetch } = useFollowed()
  const followed = list?.find((one) => one.id === id)
  if (user?.id === id) return null
  if (!list && isError)
    return (
      <div className="row">
        <Button onClick={() => void refetch()}>Try again</Button>
        <span className="muted small grow">Couldn’t load whether you follow {name}.</span>
      </div>
    )
  if (!canFollow && !followed) return null
  return (
    <div className="row">
      <Button
        tone={followed ? 'line' : 'primary'}
        icon={followed ? <Check className="icon" aria-hidden /> : <Plus className="icon" aria-hidden />}
        isBusy={!list}
        aria-pressed={followed !== undefined}
        onClick={() =>
          void (followed ? unfollowWithUndo(followed, 'seller_page') : follow({ id, name, handle }, 'seller_page'))
        }
      >
        {followed ? 'Following' : 'Follow'}
      </Button>
      <span className="muted small grow">We email and notify you when they publish something new.</span>
    </div>
  )
}
