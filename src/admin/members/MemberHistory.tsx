import { type ReactNode, useState } from 'react'
import { toCents } from '../../kit/money.ts'
import { pagesOf } from '../../kit/query/list.client.ts'
import { useList } from '../../kit/query/useList.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { shortId } from '../../orders/number.rules.ts'
import { StatusBadge } from '../../purchases/StatusBadge.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Link } from '../../ui/Link.tsx'
import type { Side } from '../orders/adminOrders.contract.ts'
import { titlesOf } from '../orders/orderWords.rules.ts'
import { Found } from '../StaffSearch.tsx'
import { describeCase } from './caseWords.rules.ts'
import { FIRST_CASES, listMemberCases, type MemberCase, type MemberFile } from './members.contract.ts'

const AUTHORS = { user: 'Member', admin: 'Staff', assistant: 'Assistant' }

/** The latest purchases, sales, messages and cases of a member. */
export function MemberHistory({ file }: { file: MemberFile }) {
  const { id, email, purchases, sales, messages } = file
  const ordersOf = (side: Side) => `/admin/orders?${new URLSearchParams({ q: email, side })}`
  return (
    <>
      <Cases key={id} file={file} />
      <Part title="Purchases" empty="No purchases." count={purchases.length} more={ordersOf('buyer')}>
        <ul className="list">
          {purchases.map((order) => (
            <Row
              key={order.id}
              href={`/admin/orders/${order.id}`}
              title={titlesOf(order)}
              about={`Order #${shortId(order.id)}`}
              at={order.at}
              end={
                <>
                  <strong className="money">{usd(toCents(order.total))}</strong>
                  <StatusBadge status={order.status} />
                </>
              }
            />
          ))}
        </ul>
      </Part>
      <Part title="Sales" empty="No sales." count={sales.length} more={ordersOf('seller')}>
        <ul className="list">
          {sales.map((sale) => (
            <Row
              key={sale.id}
              href={`/admin/orders/${sale.orderId}`}
              title={sale.title}
              about={toCents(sale.returned) > 0 ? `${usd(toCents(sale.returned))} refunded` : null}
              at={sale.at}
              end={
                <>
                  <strong className="money">{usd(toCents(sale.amount))}</strong>
                  {sale.isDisputed && <Badge look="failed">Disputed</Badge>}
                </>
              }
            />
          ))}
        </ul>
      </Part>
      <Part title="Messages" empty="No messages." count={messages.length} more={`/admin/chat/${id}`}>
        <ul className="list">
          {messages.map(({ id: messageId, author, text, at }) => (
            <Row key={messageId} href={`/admin/chat/${id}`} title={text} about={AUTHORS[author]} at={at} />
          ))}
        </ul>
      </Part>
    </>
  )
}

function Cases({ file: { id, cases } }: { file: MemberFile }) {
  const [isAll, setAll] = useState(false)
  const all = (
    <Button tone="quiet" aria-label="All cases" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
      {isAll ? 'Fewer' : 'All'}
    </Button>
  )
  return (
    <Part
      title="Cases"
      empty="No disputes, refund requests or reports."
      count={cases.length}
      more={cases.length === FIRST_CASES && all}
    >
      {isAll ? <AllCases id={id} /> : <CaseRows cases={cases} />}
    </Part>
  )
}

function AllCases({ id }: { id: string }) {
  const list = useList<MemberCase>({ ...pagesOf(listMemberCases, { id }), refetchOnMount: 'always' })
  return (
    <Found list={list} name="the cases" more="Show earlier cases" empty={null}>
      <CaseRows cases={list.items} />
    </Found>
  )
}

const CaseRows = ({ cases }: { cases: MemberCase[] }) => (
  <ul className="list">
    {cases.map((one) => {
      const { name, state, href } = describeCase(one)
      return (
        <Row
          key={`${one.kind}${one.id}${one.at}${one.state}`}
          href={href}
          title={name}
          about={one.about}
          at={one.at}
          end={<Badge>{state}</Badge>}
        />
      )
    })}
  </ul>
)

type PartProps = {
  title: string
  empty: string
  count: number
  /** The address of the whole list, or the button that shows it. */
  more?: ReactNode
  children: ReactNode
}

const Part = ({ title, empty, count, more, children }: PartProps) => (
  <section className="section" aria-labelledby={`member-${title}`}>
    <div className="section__head">
      <h2 id={`member-${title}`} className="text-18">
        {title}
      </h2>
      {count > 0 &&
        (typeof more === 'string' ? (
          <Link className="text-link" href={more} aria-label={`All ${title.toLowerCase()}`}>
            All
          </Link>
        ) : (
          more
        ))}
    </div>
    {count > 0 ? children : <p className="muted small">{empty}</p>}
  </section>
)

type RowProps = { href: string; title: string; about: string | null; at: string; end?: ReactNode }

function Row({ href, title, about, at, end }: RowProps) {
  const content = (
    <>
      <span className="grow grow--column wrap-anywhere">
        <strong className="member-row__title">{title}</strong>
        <small>
          {about && `${about} · `}
          <time dateTime={at}>{formatMoment(at)}</time>
        </small>
      </span>
      {end && <span className="stack stack--end gap-1">{end}</span>}
    </>
  )
  return (
    <li>
      {href.startsWith('#') ? (
        <a className="list__row row--top row--wrap" href={href}>
          {content}
        </a>
      ) : (
        <Link className="list__row row--top row--wrap" href={href}>
          {content}
        </Link>
      )}
    </li>
  )
}
