import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { explainError, getExplanation } from './explanation.contract.ts'

export const useExplanation = (id: string) => useQuery({ ...query(getExplanation, { id }), refetchOnMount: 'always' })

/** Asks the model; `mutate(true)` replaces an earlier answer. */
export function useExplain(id: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (isAgain: boolean) => call(explainError, { id, isAgain }),
    onSuccess: (told) => cache.setQueryData(query(getExplanation, { id }).queryKey, told),
  })
}
