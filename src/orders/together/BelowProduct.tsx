import type { ProductDetail } from '../../catalogue/catalogue.contract.ts'
import { Opinions } from '../../moderation/Opinions.tsx'
import type { Purchase } from '../../reviews/reviews.contract.ts'
import { Together } from './Together.tsx'

/** What a product on sale has below the fold. */
export const BelowProduct = ({ detail, purchases }: { detail: ProductDetail; purchases: Purchase[] }) => (
  <>
    <Opinions detail={detail} purchases={purchases} />
    <Together id={detail.id} />
  </>
)
