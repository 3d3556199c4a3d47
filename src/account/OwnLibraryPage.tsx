import { LibraryPage } from '../delivery/library/LibraryPage.tsx'
import { libraryQuery } from '../delivery/library/useLibrary.ts'
import { ReviewRequests } from '../reviews/requests/ReviewRequests.tsx'
import { reviewRequestsQuery, useReviewRequests } from '../reviews/requests/useReviewRequests.ts'
import { newProductsQuery, useNewProducts } from '../selling/follows/useNewProducts.ts'
import { lazyPart } from '../ui/lazyPart.tsx'

const NewProductsList = lazyPart(() => import('../selling/follows/NewProductsList.tsx'), 'NewProductsList')

export const firstView = () => [libraryQuery, reviewRequestsQuery, newProductsQuery]

/** The library with the new products of followed sellers and the requests for reviews above its list. */
export function OwnLibraryPage() {
  const asked = useReviewRequests()
  const follows = useNewProducts()
  return (
    <LibraryPage
      isWaiting={asked.isLoading || follows.isLoading}
      notice={
        <>
          {follows.sellers.length > 0 && <NewProductsList {...follows} />}
          <ReviewRequests {...asked} />
        </>
      }
    />
  )
}
