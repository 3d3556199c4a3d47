import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import {
  answerCase,
  type CodeCase,
  decideCase,
  listCases,
  listOwnCases,
  revealCase,
  revealCaseAsStaff,
} from './cases.contract.ts'

export type CaseQueue = 'open' | 'ended'
export type CaseAct = { id: string; act: 'replace' | 'refund' | 'refuse'; words: string }

const DONE = { replace: 'Another code is with the buyer', refund: 'The money is on its way', refuse: 'Sent' }

export function useCases(isStaff: boolean, queue: CaseQueue) {
  const cache = useQueryClient()
  const list = isStaff ? listCases : listOwnCases
  const { data, ...pages } = useInfiniteQuery({
    queryKey: [...keyOf(list, { queue }), 'pages'],
    queryFn: ({ pageParam }: { pageParam: string | null }) =>
      call(list, { queue, ...(pageParam !== null && { after: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cases, hasMore }: { cases: CodeCase[]; hasMore: boolean }) =>
      hasMore ? cases.at(-1)!.id : null,
    refetchOnMount: 'always',
  })
  const answer = useMutation({
    mutationFn: ({ id, act, words }: CaseAct) =>
      isStaff
        ? call(decideCase, { id, words, act: act === 'refuse' ? 'reject' : act })
        : call(answerCase, { id, words, act: act === 'refuse' ? 'decline' : act }),
    onSuccess: (_, { act }) => toast({ title: DONE[act], tone: 'good' }),
    onError: (error) => toastFailure(error, reasonOf(error, isRefusal) ?? 'That didn’t work. Please try again.'),
    onSettled: () => cache.invalidateQueries({ queryKey: [keyOf(list, { queue })[0]] }),
  })
  return { cases: data?.pages.flatMap(({ cases }) => cases), answer, ...pages }
}

/** Reveals a reported code to its seller or staff. The code is removed from memory when the page unmounts. */
export function useReportedCode(id: string, isStaff: boolean) {
  const { data, mutate, isPending } = useMutation({
    mutationFn: () => call(isStaff ? revealCaseAsStaff : revealCase, { id }),
    gcTime: 0,
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t show the code. Please try again.'),
  })
  return { code: data, reveal: () => mutate(), isBusy: isPending }
}
