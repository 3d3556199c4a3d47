import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { query } from '../../kit/query/query.client.ts'
import { countFailedMessages, listHookMessages, listHooks } from '../../notifications/hooks/hooks.contract.ts'
import { toast } from '../../ui/toasts/toast.client.ts'

export const hooksQuery = query(listHooks, {})
export const messagesQuery = query(listHookMessages, {})
export const failedQuery = query(countFailedMessages, {})
export const LOOK_EVERY_MS = 10_000

const titleOf = <T>(done: string | ((reply: T) => string), reply: T) => (typeof done === 'string' ? done : done(reply))

/** An act on webhooks. It refreshes the addresses, the log and the number of failed events. */
export function useHookAct<T>(act: () => Promise<T>, done: string | ((reply: T) => string)) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: (reply) => toast({ title: titleOf(done, reply) }),
    onError: (error) => toastFailure(error, reasonOf(error, isRefusal) ?? 'That didn’t work. Please try again.'),
    onSettled: () =>
      Promise.all(
        [hooksQuery, messagesQuery, failedQuery].map(({ queryKey }) => cache.invalidateQueries({ queryKey })),
      ),
  })
}
