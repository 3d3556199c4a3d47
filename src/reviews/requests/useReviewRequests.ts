import { useQuery, useQueryClient } from '@tanstack/react-query'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { useAlways } from '../../kit/query/useAlways.ts'
import { listReviewRequests, type ReviewRequest } from './requests.contract.ts'

export const reviewRequestsQuery = query(listReviewRequests, {})

type Actions = typeof import('./requestActions.client.ts')

const run = (act: (actions: Actions) => Promise<void>) =>
  import('./requestActions.client.ts').then(act, (error: unknown) =>
    toastFailure(error, 'We couldn’t do this. Please try again.'),
  )

export function useReviewRequests() {
  const cache = useQueryClient()
  const { data: requests = [], isLoading } = useQuery({ ...reviewRequestsQuery, refetchOnMount: useAlways() })
  const dismiss = (request: ReviewRequest) => run(({ dismissRequest }) => dismissRequest(cache, request))
  const stop = () => run(({ stopRequests }) => stopRequests(cache))
  return { requests, isLoading, dismiss, stop }
}
