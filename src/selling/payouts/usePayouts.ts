import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { query } from '../../kit/query/query.client.ts'
import { useAlways } from '../../kit/query/useAlways.ts'
import { getPayouts, type OwnPayouts } from '../../payments/payouts/payouts.contract.ts'
import { toast } from '../../ui/toasts/toast.client.ts'

export const payoutsQuery = query(getPayouts, {})

export const usePayouts = () => useQuery({ ...payoutsQuery, refetchOnMount: useAlways() })

/** Runs a change that returns the new payouts, then refetches the balance and the statement. */
export function usePayoutAct<Given>(act: (given: Given) => Promise<OwnPayouts>, done: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: (payouts) => {
      cache.setQueryData(payoutsQuery.queryKey, payouts)
      toast({ title: done })
      return cache.invalidateQueries({
        predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/account/balance'),
      })
    },
    onError: (error) => {
      toastFailure(error, reasonOf(error, isRefusal) ?? 'That didn’t work. Please try again.')
      return cache.invalidateQueries({ queryKey: payoutsQuery.queryKey })
    },
  })
}
