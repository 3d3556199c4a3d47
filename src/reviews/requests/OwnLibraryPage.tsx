import { LibraryPage } from '../../delivery/library/LibraryPage.tsx'
import { libraryQuery } from '../../delivery/library/useLibrary.ts'
import { ReviewRequests } from './ReviewRequests.tsx'
import { reviewRequestsQuery, useReviewRequests } from './useReviewRequests.ts'

export const firstView = () => [libraryQuery, reviewRequestsQuery]

/** The library with the requests for reviews above its list. */
export function OwnLibraryPage() {
  const asked = useReviewRequests()
  return <LibraryPage isWaiting={asked.isLoading} notice={<ReviewRequests {...asked} />} />
}
