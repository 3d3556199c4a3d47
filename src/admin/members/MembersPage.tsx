import { useSearchParams } from 'wouter'
import { toCents } from '../../kit/money.ts'
import { pagesOf } from '../../kit/query/list.client.ts'
import { useList } from '../../kit/query/useList.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Link } from '../../ui/Link.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { StaffPage } from '../StaffPage.tsx'
import { type StaffQuery, Finder, Found } from '../StaffSearch.tsx'
import { findMembers, type FoundMember, MEMBER_KINDS, type MemberKind } from './members.contract.ts'
import { MemberBadges } from './MemberBadges.tsx'

const ALL = 'all'
const NAMES: Record<MemberKind, string> = { sellers: 'Sellers', suspended: 'Suspended', staff: 'Staff' }
const kinds = [{ value: ALL, label: 'Everybody' }, ...MEMBER_KINDS.map((value) => ({ value, label: NAMES[value] }))]

export function MembersPage() {
  const [search, setSearch] = useSearchParams()
  const q = search.get('q') ?? ''
  const kind = MEMBER_KINDS.find((known) => known === search.get('kind'))
  const found = useList({ ...pagesOf(findMembers, { limit: 25, q: q || undefined, kind }), refetchOnMount: 'always' })
  const ask = (asked: StaffQuery) => {
    const next = { ...(asked.q && { q: asked.q }), ...(asked.choice !== ALL && { kind: asked.choice }) }
    setSearch(new URLSearchParams(next), { replace: true })
  }
  return (
    <StaffPage title="Members" about="All members, newest first.">
      <Finder
        key={q}
        asked={{ q, choice: kind ?? ALL }}
        onAsk={ask}
        list={found}
        label="Name, email, order or payer"
        choiceLabel="Show"
        choices={kinds}
      />
      <Found
        list={found}
        name="the members"
        more="Show earlier members"
        empty={
          <EmptyState scene="ticket" title="No members">
            {q || kind
              ? 'Nothing matches. Try a name, an email address, an order or payment number, or a PayPal address.'
              : 'Members will show up here.'}
          </EmptyState>
        }
      >
        <FoundMembers members={found.items} from={`/admin/members?${search}`} />
      </Found>
    </StaffPage>
  )
}

const FoundMembers = ({ members, from }: { members: FoundMember[]; from: string }) => (
  <ul className="list" aria-label="Members">
    {members.map(({ id, name, email, since, orders, spent, ...standing }) => (
      <li key={id}>
        <Link className="list__row row--top row--wrap" href={`/admin/members/${id}`} state={{ from }}>
          <span className="grow grow--column wrap-anywhere">
            <strong>{name}</strong>
            <small>{email}</small>
            <small>
              Joined <time dateTime={since}>{formatDay(since)}</time>
            </small>
          </span>
          <span className="stack stack--end gap-1">
            <strong className="money">{usd(toCents(spent))}</strong>
            <small className="muted">{plural(orders, 'order')}</small>
            <MemberBadges {...standing} />
          </span>
        </Link>
      </li>
    ))}
  </ul>
)
