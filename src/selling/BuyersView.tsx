import { askingProblems } from '../catalogue/price/asking.rules.ts'
import { ProductPrice } from '../catalogue/price/ProductPrice.tsx'
import { ProductImage } from '../catalogue/covers/ProductImage.tsx'
import { describeRated } from '../catalogue/rated.rules.ts'
import { useCategories } from '../catalogue/useCatalogue.ts'
import { pagesOf } from '../kit/query/list.client.ts'
import { formatBytes } from '../localisation/sizes.rules.ts'
import { AnswerReview } from '../reviews/AnswerReview.tsx'
import { ReviewList } from '../reviews/ReviewList.tsx'
import { listOwnReviews } from '../reviews/reviews.contract.ts'
import { Link } from '../ui/Link.tsx'
import { Pair } from '../ui/Pair.tsx'
import { TicketPart } from '../ui/Ticket.tsx'
import { readAsking, type Values } from './edit.rules.ts'
import type { OwnDetail } from './selling.contract.ts'

const STEP = 3

type BuyersViewProps = { product: OwnDetail; /** Unsaved values of the form. */ values: Values }

export const BuyersView = ({ product, values }: BuyersViewProps) => (
  <>
    <section className="stack" aria-labelledby="buyers-see">
      <h2 id="buyers-see" className="text-18">
        What buyers see
      </h2>
      <Preview product={product} values={values} />
    </section>
    <section className="stack" aria-labelledby="buyers-say">
      <h2 id="buyers-say" className="text-18">
        What buyers say
      </h2>
      {product.rated ? (
        <ReviewList
          of={pagesOf(listOwnReviews, { id: product.id, limit: STEP })}
          count={Math.min(product.rated.reviews, STEP)}
          foot={(review) => <AnswerReview review={review} productId={product.id} />}
        />
      ) : (
        <p className="card muted small">No reviews yet.</p>
      )}
    </section>
  </>
)

function Preview({ product, values }: BuyersViewProps) {
  const { data: categories = [] } = useCategories()
  const { id, status, rated, sellerName, files, sales, views } = product
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const { price, suggested } = readAsking(values)
  const isAsked = Object.keys(askingProblems({ price, suggested })).length === 0
  const category = categories.find((one) => one.id === values.categoryId)?.name
  const isNewImage = values.imageUrl !== null && values.imageUrl !== product.imageUrl
  const imageUrl = isNewImage ? product.imageUrl : values.imageUrl
  return (
    <div className="ticket">
      <TicketPart className="stack">
        <ProductImage product={{ ...values, id, imageUrl }} sizes="22rem" />
        {isNewImage && <p className="muted small">Save to see your new picture here.</p>}
        <div>
          <h3 className="text-18 wrap-anywhere">{values.title || product.title}</h3>
          <p className="muted small wrap-anywhere">
            {[category, sellerName].filter(Boolean).join(' · ')}
            {bytes > 0 && ` · ${formatBytes(bytes)}`}
          </p>
        </div>
        <ProductPrice product={isAsked ? { price, suggested } : product} />
      </TicketPart>
      <TicketPart className="stack">
        <dl className="receipt">
          <Pair name="Views in 30 days" value={views.toLocaleString('en')} />
          <Pair name="Sales" value={sales.toLocaleString('en')} />
          <Pair name="Rating" value={rated ? describeRated(rated) : 'None yet'} />
        </dl>
        {status === 'listed' ? (
          <Link href={`/product/${id}`} className="text-link small">
            View in the shop
          </Link>
        ) : (
          <p className="muted small">Buyers see it once it is on sale.</p>
        )}
      </TicketPart>
    </div>
  )
}
