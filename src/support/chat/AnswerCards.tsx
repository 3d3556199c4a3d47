import { ChevronRight } from 'lucide-react'
import { ProductImage } from '../../catalogue/covers/ProductImage.tsx'
import { ProductPrice } from '../../catalogue/price/ProductPrice.tsx'
import { toCents } from '../../kit/money.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { shortId } from '../../orders/number.rules.ts'
import { StatusBadge } from '../../purchases/StatusBadge.tsx'
import { Link, LinkButton } from '../../ui/Link.tsx'
import type { ChatMessage, OrderLink } from './chat.contract.ts'

export const AnswerCards = ({ products, orders, articles }: Pick<ChatMessage, 'products' | 'orders' | 'articles'>) => (
  <div className="msg__cards">
    {products.map((product) => (
      <Link key={product.id} className="msg__card" href={`/product/${product.id}`}>
        <ProductImage product={product} sizes="4rem" className="thumb thumb--sm" />
        <span className="grow">
          <strong className="clamp-2">{product.title}</strong>
          <small>{product.category}</small>
        </span>
        <ProductPrice product={product} className="money" />
      </Link>
    ))}
    {orders.map((order) => (
      <OrderTicket key={order.id} order={order} />
    ))}
    {articles.map(({ slug, title }) => (
      <Link key={slug} className="msg__card" href={`/help/${slug}`}>
        <span className="grow">{title}</span>
        <ChevronRight className="icon icon--sm" aria-hidden />
      </Link>
    ))}
  </div>
)

const OrderTicket = ({ order: { id, status, total, createdAt, items, opens } }: { order: OrderLink }) => (
  <article className="ticket" aria-label={`Order ${shortId(id)}`}>
    <div className="ticket__part stack gap-1">
      <p className="row row--between gap-2">
        <strong>
          Order #<span className="mono">{shortId(id).toUpperCase()}</span>
        </strong>
        <span className="money">{usd(toCents(total))}</span>
      </p>
      <p className="row row--between gap-2">
        <small className="muted">
          {formatDay(createdAt)} · {plural(items, 'item')}
        </small>
        <StatusBadge status={status} />
      </p>
    </div>
    <div className="ticket__part">
      <LinkButton tone="soft" isWide href={`/orders/${id}`}>
        {opens === 'code' ? 'Show code' : opens === 'file' ? 'Open files' : 'View Details'}
      </LinkButton>
    </div>
  </article>
)
