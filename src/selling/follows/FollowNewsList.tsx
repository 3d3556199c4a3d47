import { NoticeRow } from '../../reviews/requests/NoticeRow.tsx'
import { LinkButton } from '../../ui/Link.tsx'
import type { FollowNews } from './followNews.contract.ts'
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
    <NoticeRow
      product={product}
      title={what}
      about={seller}
      link={
        <LinkButton
          tone="soft"
          href={newsPath({ count, productId: product.id, handle })}
          aria-label={`View ${what} of ${seller}`}
          onClick={onDismiss}
        >
          View
        </LinkButton>
      }
      closeLabel={`Dismiss: ${what} of ${seller}`}
      onClose={onDismiss}
    />
  )
}
