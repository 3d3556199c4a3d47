import { BuyBar, type BuyBarProps } from '../../cart/buy/BuyBar.tsx'
import type { ProductDetail } from '../../catalogue/catalogue.contract.ts'
import { BundleParts } from '../../delivery/library/BundleParts.tsx'
import { LessonDates } from '../../delivery/samples/LessonDates.tsx'
import { Previews } from '../../delivery/samples/Previews.tsx'
import { Samples } from '../../delivery/samples/Samples.tsx'
import { Opinions } from '../../moderation/Opinions.tsx'
import type { Purchase } from '../../reviews/reviews.contract.ts'
import { Together } from './Together.tsx'

// Parts of a product's page that load after its head. One script, because the first load lists every script.

export const BelowProduct = ({ detail, purchases }: { detail: ProductDetail; purchases: Purchase[] }) => (
  <>
    {(detail.hasPreviews || detail.delivery === 'course') && <Previews detail={detail} />}
    {detail.isActive && (
      <>
        <Opinions detail={detail} purchases={purchases} />
        <Together id={detail.id} />
      </>
    )}
  </>
)

export const ProductSamples = ({ detail }: { detail: ProductDetail }) => <Samples detail={detail} />

/** The parts of a bundle, or when the lessons of a course open. */
export const ProductContents = ({ detail }: { detail: ProductDetail }) => (
  <>
    {detail.parts?.length ? <BundleParts detail={detail} /> : null}
    {detail.lessons && <LessonDates lessons={detail.lessons} />}
  </>
)

export const ProductBar = (bar: BuyBarProps) => <BuyBar {...bar} />
