import type { Product, ProductDetail } from './catalogue.contract.ts'
import { withoutGaps } from '../kit/gaps.rules.ts'
import { formatDay } from '../localisation/dates.rules.ts'
import { formatBytes, formatOf } from '../localisation/sizes.rules.ts'
import { Pair } from '../ui/Pair.tsx'

export function AboutProduct({ product, detail }: { product: Product; detail?: ProductDetail }) {
  return (
    <section className="section" aria-labelledby="description">
      <h2 id="description">Description</h2>
      <p className="pre-line wrap-anywhere">
        {withoutGaps(product.description ?? 'The seller hasn’t added a description yet.')}
      </p>
      <dl className="pairs pairs--filling">
        {detail?.file && (
          <>
            <Pair name="Format" value={formatOf(detail.file.name)} />
            <Pair name="File" value={detail.file.name} />
            <Pair name="Size" value={formatBytes(detail.file.sizeBytes)} />
          </>
        )}
        {detail && (
          <>
            <Pair name="Sold by" value={detail.isMine ? `${detail.sellerName} (you)` : detail.sellerName} />
            <Pair name={detail.isActive ? 'On sale since' : 'Added'} value={formatDay(detail.createdAt)} />
          </>
        )}
      </dl>
    </section>
  )
}
