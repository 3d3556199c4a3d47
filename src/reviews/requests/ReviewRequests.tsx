import { Button } from '../../ui/Button.tsx'
import { LinkButton } from '../../ui/Link.tsx'
import { NoticeRow } from './NoticeRow.tsx'
import type { ReviewRequest } from './requests.contract.ts'
import { reviewPath } from './reviewPath.rules.ts'
import type { useReviewRequests } from './useReviewRequests.ts'

/** The products that the shop asks the member to review. Renders nothing without a request. */
export function ReviewRequests({ requests, dismiss, stop }: ReturnType<typeof useReviewRequests>) {
  if (requests.length === 0) return null
  return (
    <section className="card stack" aria-labelledby="review-requests">
      <div className="row row--between">
        <h2 id="review-requests" className="text-16">
          How do you like it?
        </h2>
        <Button tone="quiet" className="flush-end" onClick={() => void stop()}>
          Don’t ask me
        </Button>
      </div>
      <ul className="asked">
        {requests.map((request) => (
          <Row key={request.productId} request={request} onDismiss={() => void dismiss(request)} />
        ))}
      </ul>
    </section>
  )
}

function Row({ request, onDismiss }: { request: ReviewRequest; onDismiss: () => void }) {
  const { productId, title, categoryId, imageUrl } = request
  return (
    <NoticeRow
      product={{ id: productId, title, categoryId, imageUrl }}
      title={title}
      link={
        <LinkButton tone="soft" href={reviewPath(productId)} aria-label={`Write a review of ${title}`}>
          Review
        </LinkButton>
      }
      closeLabel={`Not now: ${title}`}
      onClose={onDismiss}
    />
  )
}
