import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Link } from '../../ui/Link.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import type { Followed } from './follows.contract.ts'
import { follow, unfollow, useFollowed } from './useFollows.ts'

/** The followed sellers, for Email Preferences. An unfollowed seller stays in the list, with Undo, until it closes. */
export function FollowedSellers({ onLeave }: { onLeave: () => void }) {
  const { data: list, isError, refetch } = useFollowed()
  const [ended, setEnded] = useState<Followed[]>([])
  const isEnded = ({ id }: Followed) => ended.some((seller) => seller.id === id)
  const sellers = [...(list ?? []).filter((seller) => !isEnded(seller)), ...ended].toSorted((a, b) =>
    b.since.localeCompare(a.since),
  )
  const isFollowed = ({ id }: Followed) => list?.some((seller) => seller.id === id) === true
  function end(seller: Followed) {
    if (!isEnded(seller)) setEnded([...ended, seller])
    void unfollow(seller)
  }
  return (
    <section className="section" aria-labelledby="followed-sellers">
      <h3 id="followed-sellers">Sellers you follow</h3>
      {!list ? (
        isError ? (
          <ErrorState title="Couldn’t load the sellers you follow" onRetry={() => void refetch()} />
        ) : (
          <Skeleton height="3.5rem" />
        )
      ) : sellers.length === 0 ? (
        <p className="muted small">You follow nobody. The page of each seller has a button Follow.</p>
      ) : (
        <ul className="list">
          {sellers.map((seller) => (
            <li key={seller.id} className="list__row row--wrap">
              <SellerName seller={seller} onLeave={onLeave} />
              {isFollowed(seller) ? (
                <Button key="act" aria-label={`Unfollow ${seller.name}`} onClick={() => end(seller)}>
                  Unfollow
                </Button>
              ) : (
                <Button
                  key="act"
                  aria-label={`Undo: you unfollowed ${seller.name}`}
                  onClick={() => void follow(seller, 'preferences')}
                >
                  Undo
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const SellerName = ({ seller: { name, handle }, onLeave }: { seller: Followed; onLeave: () => void }) => (
  <span className="grow wrap-anywhere">
    {handle === null ? (
      name
    ) : (
      <Link className="text-link" href={`/seller/${handle}`} onClick={onLeave}>
        {name}
      </Link>
    )}
  </span>
)
