import type { OwnDetail } from '../selling.contract.ts'
import { Link } from '../../ui/Link.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'

const waiting = <Skeleton height="8rem" />
const OwnGoods = lazyPart(() => import('../OwnGoods.tsx'), 'OwnGoods', waiting)
const LicenseEditor = lazyPart(() => import('../../delivery/licenses/LicenseEditor.tsx'), 'LicenseEditor', waiting)

type VariantGoodsProps = { product: OwnDetail; variantOf: NonNullable<OwnDetail['variantOf']> }

export function VariantGoods({ product, variantOf }: VariantGoodsProps) {
  const { delivery, id } = product
  return (
    <>
      <PageHead title={`${variantOf.name}: what buyers get`} about={`A variant of ${variantOf.title}.`} />
      <p>
        <Link className="text-link" href={`/my-products/${variantOf.id}`}>
          Edit names and prices of all variants
        </Link>
      </p>
      {delivery !== 'code' && product.files.length === 0 && (
        <p className="muted">
          Buyers get the files of <bdi>{variantOf.title}</bdi>. Files that you add here take their place.
        </p>
      )}
      <OwnGoods product={product} />
      {delivery === 'license' && <LicenseEditor productId={id} />}
    </>
  )
}
