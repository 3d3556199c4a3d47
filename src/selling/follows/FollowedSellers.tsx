import { Button } from '../../ui/Button.tsx'
import { Link } from '../../ui/Link.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import type { Followed } from './follows.contract.ts'
import { unfollow, useFollowed } from './useFollows.ts'

const TITLE = 'followed-sellers'

/** The followed sellers, for Email Preferences. */
export function FollowedSellers({ onLeave }: { onLeave: () => void }) {
  const { data: list, isError, refetch } = useFollowed()
  return (
    <section className="section" aria-labelledby={TITLE}>
      <h3 id={TITLE} tabIndex={-1}>
        Sellers you follow
      </h3>
      {!list ? (
        isError ? (
          <ErrorState title="Couldn’t load the sellers you follow" onRetry={() => void refetch()} />
        ) : (
          <Skeleton height="3.5rem" />
        )
      ) : list.length === 0 ? (
        <p className="muted small">You follow nobody. The page of each seller has a button Follow.</p>
      ) : (
        <ul className="list">
          {list.map((seller) => (
            <Row key={seller.id} seller={seller} onLeave={onLeave} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Row({ seller, onLeave }: { seller: Followed; onLeave: () => void }) {
  const { name, handle } = seller
  async function end() {
    // the pressed button disappears, so the focus moves to the title of the list
    document.getElementById(TITLE)?.focus()
    await unfollow(seller, 'preferences')
  }
  return (
    <li className="list__row row--wrap">
      <span className="grow wrap-anywhere">
        {handle === null ? (
          name
        ) : (
          <Link className="text-link" href={`/seller/${handle}`} onClick={onLeave}>
            {name}
          </Link>
        )}
      </span>
      <Button aria-label={`Unfollow ${name}`} onClick={() => void end()}>
        Unfollow
      </Button>
    </li>
  )
}
