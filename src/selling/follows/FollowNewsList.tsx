import '../../reviews/requests/reviewRequests.css'
import { X } from 'lucide-react'
import { ProductImage } from '../../catalogue/covers/ProductImage.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { LinkButton } from '../../ui/Link.tsx'
import type { FollowNews } from './follows.contract.ts'
import { newsPath } from './followText.rules.ts'
import type { useFollowNews } from './useFollowNews.ts'

/** New products of followed sellers. Renders nothing without one. */
export function FollowNewsList({ news, dismiss }: Pick<ReturnType<typeof useFollowNews>, 'news' | 'dismiss'>) {
  if (news.length === 0) return null
  return (
    <section className="card stack" aria-labelledby="follow-news">
      <h2 id="follow-news" className="text-16">
        New from sellers you follow
      </h2>
      <ul className="asked">
        {news.map((one) => (
          <Row key={one.sellerId} news={one} onDismiss={() => void dismiss(one)} />
        ))}
      </ul>
    </section>
  )
}

function Row({ news, onDismiss }: { news: FollowNews; onDismiss: () => void }) {
  const { seller, handle, count, product } = news
  const what = count === 1 ? product.title : `${count.toLocaleString('en')} new products`
  return (
    <li>
      <ProductImage product={product} sizes="60px" className="thumb thumb--sm" />
      <span className="asked__title">
        <strong className="clamp-2 wrap-anywhere">{what}</strong>
        <span className="muted small">{seller}</span>
      </span>
      <span className="asked__do">
        <LinkButton
          tone="soft"
          href={newsPath({ count, productId: product.id, handle })}
          aria-label={`View ${what} of ${seller}`}
          onClick={onDismiss}
        >
          View
        </LinkButton>
        <IconButton
          label={`Dismiss: ${what} of ${seller}`}
          icon={<X className="icon" aria-hidden />}
          onClick={onDismiss}
        />
      </span>
    </li>
  )
}
