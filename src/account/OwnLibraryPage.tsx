import { LibraryPage } from '../delivery/library/LibraryPage.tsx'
import { libraryQuery } from '../delivery/library/useLibrary.ts'
import { ReviewRequests } from '../reviews/requests/ReviewRequests.tsx'
import { reviewRequestsQuery, useReviewRequests } from '../reviews/requests/useReviewRequests.ts'
import { FollowNewsList } from '../selling/follows/FollowNewsList.tsx'
import { followNewsQuery, useFollowNews } from '../selling/follows/useFollowNews.ts'

export const firstView = () => [libraryQuery, reviewRequestsQuery, followNewsQuery]

/** The library with the news of followed sellers and the requests for reviews above its list. */
export function OwnLibraryPage() {
  const asked = useReviewRequests()
  const follows = useFollowNews()
  return (
    <LibraryPage
      isWaiting={asked.isLoading || follows.isLoading}
      notice={
        <>
          <FollowNewsList {...follows} />
          <ReviewRequests {...asked} />
        </>
      }
    />
  )
}
