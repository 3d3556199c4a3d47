import { LibraryPage } from '../delivery/library/LibraryPage.tsx'
import { libraryQuery } from '../delivery/library/useLibrary.ts'
import { ReviewRequests } from '../reviews/requests/ReviewRequests.tsx'
import { reviewRequestsQuery, useReviewRequests } from '../reviews/requests/useReviewRequests.ts'
import { NewProductsList } from '../selling/follows/NewProductsList.tsx'
import { newProductsQuery, useNewProducts } from '../selling/follows/useNewProducts.ts'

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
          <NewProductsList {...follows} />
          <ReviewRequests {...asked} />
        </>
      }
    />
  )
}
