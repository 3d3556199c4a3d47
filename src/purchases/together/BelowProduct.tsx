import type { ProductDetail } from '../../catalogue/catalogue.contract.ts'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { Opinions } from '../../moderation/Opinions.tsx'
import type { Purchase } from '../../reviews/reviews.contract.ts'
import { Together } from './Together.tsx'

const Previews = lazyPart(() => import('../../delivery/reading/Previews.tsx'), 'Previews')

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
