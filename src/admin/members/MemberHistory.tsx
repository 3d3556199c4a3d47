import type { ReactNode } from 'react'
import { toCents } from '../../kit/money.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { shortId } from '../../orders/number.rules.ts'
import { StatusBadge } from '../../purchases/StatusBadge.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Link } from '../../ui/Link.tsx'
import { titlesOf } from '../orders/orderWords.rules.ts'
import { describeCase } from './caseWords.rules.ts'
import type { MemberFile } from './members.contract.ts'

const AUTHORS = { user: 'Member', admin: 'Staff', assistant: 'Assistant' }

/** The latest purchases, sales, messages and cases of a member. */
export function MemberHistory({ file }: { file: MemberFile }) {
  const { id, email, purchases, sales, messages, cases } = file
  const orders = `/admin/orders?q=${encodeURIComponent(email)}`
  return (
    <>
      <Part title="Cases" empty="No disputes, refund requests or reports." count={cases.length}>
        {cases.map((one) => (
          <Row
            key={`${one.kind}${one.id}${one.at}${one.state}`}
            href={describeCase(one).href}
            title={describeCase(one).name}
            about={one.about}
            at={one.at}
            end={<Badge>{describeCase(one).state}</Badge>}
          />
        ))}
      </Part>
      <Part title="Purchases" empty="No purchases." count={purchases.length} more={orders}>
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
      </Part>
      <Part title="Sales" empty="No sales." count={sales.length} more={orders}>
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
      </Part>
      <Part title="Messages" empty="No messages." count={messages.length} more={`/admin/chat/${id}`}>
        {messages.map(({ id: messageId, author, text, at }) => (
          <Row key={messageId} href={`/admin/chat/${id}`} title={text} about={AUTHORS[author]} at={at} />
        ))}
      </Part>
    </>
  )
}

type PartProps = { title: string; empty: string; count: number; more?: string; children: ReactNode }

const Part = ({ title, empty, count, more, children }: PartProps) => (
  <section className="section" aria-labelledby={`member-${title}`}>
    <div className="section__head">
      <h2 id={`member-${title}`} className="text-18">
        {title}
      </h2>
      {more && count > 0 && (
        <Link className="text-link" href={more} aria-label={`All ${title.toLowerCase()}`}>
          All
        </Link>
      )}
    </div>
    {count > 0 ? <ul className="list">{children}</ul> : <p className="muted small">{empty}</p>}
  </section>
)

type RowProps = { href: string | null; title: string; about: string | null; at: string; end?: ReactNode }

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
      {href === null ? (
        <div className="list__row row--top row--wrap">{content}</div>
      ) : (
        <Link className="list__row row--top row--wrap" href={href}>
          {content}
        </Link>
      )}
    </li>
  )
}
