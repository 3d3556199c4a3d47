import { NoticeRow } from '../../reviews/requests/NoticeRow.tsx'
import { LinkButton } from '../../ui/Link.tsx'
import type { NewProducts } from './newProducts.contract.ts'
import { pathOf } from './followText.rules.ts'
import type { useNewProducts } from './useNewProducts.ts'

const TITLE = 'new-products'

/** New products of followed sellers. */
export function NewProductsList({ sellers, dismiss }: Pick<ReturnType<typeof useNewProducts>, 'sellers' | 'dismiss'>) {
  function close(seller: NewProducts) {
    // the pressed button disappears
    document.getElementById(sellers.length > 1 ? TITLE : 'main')?.focus()
    void dismiss(seller)
  }
  return (
    <section className="card stack" aria-labelledby={TITLE}>
      <h2 id={TITLE} className="text-16" tabIndex={-1}>
        New from sellers you follow
      </h2>
      <ul className="asked">
        {sellers.map((seller) => (
          <Row
            key={seller.sellerId}
            products={seller}
            onView={() => void dismiss(seller)}
            onClose={() => close(seller)}
          />
        ))}
      </ul>
    </section>
  )
}

type RowProps = { products: NewProducts; onView: () => void; onClose: () => void }

function Row({ products: { seller, handle, count, product }, onView, onClose }: RowProps) {
  const what = count === 1 ? product.title : `${count.toLocaleString('en')} new products`
  return (
    <NoticeRow
      product={product}
      title={what}
      about={seller}
      link={
        <LinkButton
          tone="soft"
          href={pathOf({ count, productId: product.id, handle })}
          aria-label={`View ${what} of ${seller}`}
          onClick={onView}
        >
          View
        </LinkButton>
      }
      closeLabel={`Dismiss: ${what} of ${seller}`}
      onClose={onClose}
    />
  )
}
