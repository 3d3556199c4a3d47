import { EyeOff, Store } from 'lucide-react'
import type { ProductDetail } from '../catalogue/catalogue.contract.ts'
import { OwnerFiles } from '../catalogue/OwnerFiles.tsx'
import { NOT_ON_SALE } from '../catalogue/standing.rules.ts'
import { Link } from '../ui/Link.tsx'
import { Note } from '../ui/Note.tsx'
import { TakenDown } from './TakenDown.tsx'

export function OwnStanding({ product }: { product: ProductDetail }) {
  const { id, isMine, isTakenDown, isFileMissing, isActive, imageUrl, unlistedReason } = product
  if (isMine && isTakenDown) return <TakenDown productId={id} />
  return (
    <>
      {isMine && (isFileMissing || (isActive && !imageUrl)) ? (
        <OwnerFiles product={product} />
      ) : (
        unlistedReason && (
          <Note Icon={EyeOff} title={NOT_ON_SALE} className="buy__off">
            {unlistedReason}
          </Note>
        )
      )}
      {isMine && isActive && (
        <Note Icon={Store} title="This is your own product">
          You can buy it like anyone else, but you can’t review it.{' '}
          <Link className="text-link" href={`/my-products/${id}`}>
            Edit it
          </Link>
        </Note>
      )}
    </>
  )
}
