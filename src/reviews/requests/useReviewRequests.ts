import { useQuery, useQueryClient } from '@tanstack/react-query'
import { setMails } from '../../identity/accounts/account.contract.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { hideItems } from '../../kit/query/hideItems.client.ts'
import { keyOf, query } from '../../kit/query/query.client.ts'
import { useAlways } from '../../kit/query/useAlways.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import { dismissReviewRequest, listReviewRequests, type ReviewRequest } from './requests.contract.ts'

export const reviewRequestsQuery = query(listReviewRequests, {})
const key = keyOf(listReviewRequests, {})

export function useReviewRequests() {
  const cache = useQueryClient()
  const { data: requests = [], isLoading } = useQuery({ ...reviewRequestsQuery, refetchOnMount: useAlways() })

  /** Hides requests at once. Shows them again if the call fails. */
  async function hide(hidden: ReviewRequest[], send: () => Promise<unknown>, failure: string): Promise<boolean> {
    try {
      await hideItems<ReviewRequest>(cache, { queryKey: key, isHidden: (one) => hidden.includes(one), send })
      return true
    } catch (error) {
      toastFailure(error, failure)
      return false
    }
  }

  const dismiss = (request: ReviewRequest) =>
    hide(
      [request],
      () => call(dismissReviewRequest, { id: request.productId }),
      'We couldn’t close this request. Please try again.',
    )

  async function stop() {
    const isStopped = await hide(
      requests,
      () => call(setMails, { wantsReviewRequests: false }),
      'We couldn’t save your choice. Please try again.',
    )
    if (!isStopped) return
    const askAgain = () =>
      call(setMails, { wantsReviewRequests: true }).then(
        () => cache.invalidateQueries({ queryKey: key }),
        (error: unknown) => toastFailure(error, 'We couldn’t save your choice. Please try again.'),
      )
    toast({
      title: 'We won’t ask for reviews anymore',
      action: { label: 'Undo', hint: 'Turn requests for reviews on in Email Preferences', run: () => void askAgain() },
    })
  }

  return { requests, isLoading, dismiss, stop }
}
