import type { QueryClient } from '@tanstack/react-query'
import { setMails } from '../../identity/accounts/account.contract.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { hideItems } from '../../kit/query/hideItems.client.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import { dismissReviewRequest, listReviewRequests, type ReviewRequest } from './requests.contract.ts'

const queryKey = keyOf(listReviewRequests, {})
const NOT_SAVED = 'We couldn’t save your choice. Please try again.'

export const dismissRequest = (cache: QueryClient, request: ReviewRequest) =>
  hideItems<ReviewRequest>(cache, {
    queryKey,
    isHidden: ({ productId }) => productId === request.productId,
    send: () => call(dismissReviewRequest, { id: request.productId }),
  }).catch((error: unknown) => toastFailure(error, 'We couldn’t close this request. Please try again.'))

export async function stopRequests(cache: QueryClient) {
  const ask = (wantsReviewRequests: boolean) => call(setMails, { wantsReviewRequests })
  try {
    await hideItems(cache, { queryKey, isHidden: () => true, send: () => ask(false) })
  } catch (error) {
    return toastFailure(error, NOT_SAVED)
  }
  const askAgain = () =>
    ask(true).then(
      () => cache.invalidateQueries({ queryKey }),
      (error: unknown) => toastFailure(error, NOT_SAVED),
    )
  toast({
    title: 'We won’t ask for reviews anymore',
    action: { label: 'Undo', hint: 'Turn requests for reviews on in Email Preferences', run: () => void askAgain() },
  })
}
