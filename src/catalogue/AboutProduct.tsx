import type { Product, ProductDetail } from './catalogue.contract.ts'
import { withoutGaps } from '../kit/gaps.rules.ts'
import { formatDay } from '../localisation/dates.rules.ts'
import { formatBytes, formatOf } from '../localisation/sizes.rules.ts'
import { lazy } from '../ui/lazy.client.ts'
import { Link } from '../ui/Link.tsx'
import { Pair } from '../ui/Pair.tsx'

const { useLoaded } = lazy(() => import('./Markdown.tsx'), 'Markdown')

/** Loads the Markdown reader only for a text with marks. Until then the text shows as typed. */
function Description({ text }: { text: string }) {
  const { value: Markdown } = useLoaded(/[*[]|^ {0,3}(#|-|\d+\.) /m.test(text))
  return Markdown ? <Markdown text={text} /> : <p className="pre-line wrap-anywhere">{text}</p>
}

function SoldBy({ sellerName, sellerHandle, isMine }: ProductDetail) {
  const name = isMine ? `${sellerName} (you)` : sellerName
  return sellerHandle ? (
    <Link className="text-link" href={`/seller/${sellerHandle}`}>
      {name}
    </Link>
  ) : (
    name
  )
}

/** Reserved heights of the detail rows, so that the page does not move. */
const ROOM = { file: '10rem', other: '4rem' }

export function AboutProduct({ product, detail }: { product: Product; detail?: ProductDetail }) {
  const hasFile = !product.kind || product.kind === 'file' || product.kind === 'license'
  return (
    <section className="section" aria-labelledby="description">
      <h2 id="description">Description</h2>
      <Description text={withoutGaps(product.description ?? 'The seller hasn’t added a description yet.')} />
      <dl className="pairs" style={{ minHeight: hasFile ? ROOM.file : ROOM.other, alignContent: 'start' }}>
        {detail?.file && (
          <>
            <Pair name="Format" value={formatOf(detail.file.name)} />
            <Pair name="File" value={[detail.file.name, ...detail.moreFiles].join(', ')} />
            <Pair name="Size" value={formatBytes(detail.totalBytes)} />
            {detail.stampsPdf && <Pair name="PDF" value="Each page carries your mail address" />}
          </>
        )}
        {detail && (
          <>
            <Pair name="Sold by" value={<SoldBy {...detail} />} />
            <Pair name={detail.isActive ? 'On sale since' : 'Added'} value={formatDay(detail.createdAt)} />
          </>
        )}
      </dl>
    </section>
  )
}
