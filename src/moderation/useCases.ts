import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { call } from '../kit/call.client.ts'
import type { Endpoint, Input } from '../kit/contract.ts'
import { isRefusal, reasonOf } from '../kit/failure.ts'
import { pagesOf } from '../kit/query/list.client.ts'
import { query } from '../kit/query/query.client.ts'
import { useList } from '../kit/query/useList.ts'
import { toast } from '../ui/toasts/toast.client.ts'
import { type CaseState, listCases, readCase } from './moderation.contract.ts'

export const useCases = (state: CaseState) => useList({ ...pagesOf(listCases, { state }), refetchOnMount: 'always' })

export const useCase = (id: string) => useQuery({ ...query(readCase, { id }), refetchOnMount: 'always' })

const ABOUT_SELLERS = ['/api/admin/reports', '/api/admin/members']

export function useAct<E extends Endpoint>(endpoint: E, done: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (input: Input<E>) => call(endpoint, input),
    onSuccess: () => toast({ title: done }),
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t save the decision. Please try again.'),
    onSettled: () => Promise.all(ABOUT_SELLERS.map((path) => cache.invalidateQueries({ queryKey: [path] }))),
  })
}
