import { Flag } from 'lucide-react'
import { useState } from 'react'
import type { ProductDetail } from '../catalogue/catalogue.contract.ts'
import type { Purchase } from '../reviews/reviews.contract.ts'
import { Reviews } from '../reviews/Reviews.tsx'
import { Button } from '../ui/Button.tsx'
import { lazyDialog } from '../ui/lazyPart.tsx'
import { useDialog } from '../ui/useDialog.ts'

const ReportDialog = lazyDialog(() => import('./ReportDialog.tsx'), 'ReportDialog')

type OpinionsProps = { detail: ProductDetail; purchases: Purchase[] }

export function Opinions({ detail: { id, rating, isMine }, purchases }: OpinionsProps) {
  const dialog = useDialog()
  const [reviewId, setReviewId] = useState<string>()
  const ask = (about?: string) => {
    setReviewId(about)
    dialog.open()
  }
  return (
    <>
      <Reviews productId={id} purchases={purchases} rating={rating} isMine={isMine} onReport={ask} />
      {!isMine && (
        <Button tone="quiet" className="self-start" icon={<Flag className="icon" aria-hidden />} onClick={() => ask()}>
          Report this product
        </Button>
      )}
      {dialog.isWanted && <ReportDialog {...dialog.props} productId={id} {...(reviewId && { reviewId })} />}
    </>
  )
}
