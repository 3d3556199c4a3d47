import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { serverNow } from '../../kit/clock/clock.client.ts'
import { isAllowed } from '../../kit/contract.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { Segment } from '../../ui/form/Segment.tsx'
import { Link } from '../../ui/Link.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { placeOf } from '../staffPlaces.client.ts'
import { RowsSkeleton, StaffPage } from '../StaffPage.tsx'
import { ageOf } from './age.rules.ts'
import { HealthPanel } from './HealthPanel.tsx'
import { addressOf, groupItems, type OpenGroup, ownerOf, pageOf, summarize, TEXTS, titleOf } from './openItems.rules.ts'
import { ShopTotals } from './ShopTotals.tsx'
import { useOpenWork } from './useWaiting.ts'
import { type OpenItem, type Waiting, WAITING } from './waiting.contract.ts'

export function OverviewPage() {
  const role = useSession().user?.role ?? 'member'
  const { waiting, items, isError, refetch } = useOpenWork()
  return (
    <StaffPage title="Overview" about={waiting && summarize(waiting, serverNow())}>
      <div className="overview">
        {waiting && items ? (
          <OpenWork waiting={waiting} items={items} />
        ) : isError ? (
          <ErrorState title="Couldn’t load the open items" onRetry={() => void refetch()} />
        ) : (
          <RowsSkeleton label="Loading the open items" />
        )}
        <div className="stack gap-5">
          {isAllowed('finance', role) && <ShopTotals />}
          <HealthPanel />
        </div>
      </div>
    </StaffPage>
  )
}

function OpenWork({ waiting, items }: { waiting: Waiting[]; items: OpenItem[] }) {
  const [isMine, setMine] = useState(false)
  const groups = groupItems(items, waiting, isMine)
  const mine = waiting.reduce((sum, one) => sum + one.mine, 0)
  return (
    <section className="section" aria-labelledby="open-work">
      <div className="section__head">
        <h2 id="open-work">Open work</h2>
        {(mine > 0 || isMine) && (
          <Segment
            label="Show"
            options={[
              { value: 'all', label: 'All' },
              { value: 'mine', label: `Mine ${mine}` },
            ]}
            value={isMine ? 'mine' : 'all'}
            onChange={(value) => setMine(value === 'mine')}
          />
        )}
      </div>
      {groups.length === 0 ? (
        <EmptyState scene="ticket" title="Nothing waits">
          New requests, reports and disputes show up here.
        </EmptyState>
      ) : (
        <ul className="list" aria-label="Open items">
          {groups.flatMap((group) => [
            ...group.items.map((item) => <Item key={`${item.kind}${item.id}${item.since}`} item={item} />),
            ...(group.more > 0 ? [<More key={group.kind} group={group} />] : []),
          ])}
        </ul>
      )}
    </section>
  )
}

function Item({ item }: { item: OpenItem }) {
  const { text, isLate } = ageOf(item, serverNow())
  const { Icon } = placeOf(WAITING[item.kind])
  return (
    <li>
      <Link className="list__row" href={addressOf(item)}>
        <span className={isLate ? 'open-item__icon is-late' : 'open-item__icon'}>
          <Icon className="icon" aria-hidden />
        </span>
        <span className="grow grow--column">
          <strong className="open-item__title wrap-anywhere">{titleOf(item)}</strong>
          <small>
            <span className={isLate ? 'open-item__late' : undefined}>{text}</span> · {ownerOf(item)}
          </small>
        </span>
        <ChevronRight className="icon icon--sm" aria-hidden />
      </Link>
    </li>
  )
}

function More({ group: { kind, items, more } }: { group: OpenGroup }) {
  const { one, many = `${one}s` } = TEXTS[kind]
  const text = items.length > 0 ? plural(more, `more ${one}`, `more ${many}`) : plural(more, one, many)
  return (
    <li>
      <Link className="list__row open-item__more" href={pageOf(kind)}>
        <span className="grow">{text}</span>
        <ChevronRight className="icon icon--sm" aria-hidden />
      </Link>
    </li>
  )
}
