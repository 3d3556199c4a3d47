import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../kit/call.client.ts'
import type { Input } from '../kit/contract.ts'
import { isRefusal, reasonOf } from '../kit/failure.ts'
import { readList } from '../kit/query/list.client.ts'
import { keyOf, query } from '../kit/query/query.client.ts'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { toast } from '../ui/toasts/toast.client.ts'
import {
  addBlock,
  approveCase,
  CASES_AT_ONCE,
  getWeights,
  liftBlock,
  listBlocks,
  listRiskCases,
  MOST_CASES,
  refuseCase,
  type RiskBlock,
  saveWeights,
  tryWeights,
} from './riskReview.contract.ts'

const LOOK_EVERY = 15_000
const blocks = query(listBlocks, {})
const weights = query(getWeights, {})

/** Open cases, refetched while the page is visible, or the most recent decisions. */
export function useCases(state: 'open' | 'decided') {
  const cache = useQueryClient()
  const [limit, setLimit] = useState(CASES_AT_ONCE)
  const queryKey = keyOf(listRiskCases, { state, limit })
  const cases = useQuery({
    queryKey,
    queryFn: ({ signal }) => readList(listRiskCases, { state, limit }, signal),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: LOOK_EVERY,
  })
  const refresh = () => cache.invalidateQueries({ queryKey: [queryKey[0]] })
  const showMore = limit < MOST_CASES ? () => setLimit(Math.min(MOST_CASES, limit + CASES_AT_ONCE)) : null
  const decide = useMutation({
    mutationFn: ({ orderId, isApproved }: { orderId: string; isApproved: boolean }) =>
      call(isApproved ? approveCase : refuseCase, { orderId }),
    onSuccess: async (_, { isApproved }) => {
      await refresh()
      toast({
        title: isApproved ? 'Released' : 'Refused',
        description: isApproved
          ? 'The order will be delivered in a moment.'
          : 'All of the money goes back to its buyer.',
      })
    },
    onError: async (error) => {
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t save the decision. Please try again.')
      await refresh()
    },
  })
  return { ...cases, decide, showMore }
}

export function useBlocks() {
  const cache = useQueryClient()
  const know = (now: RiskBlock[]) => cache.setQueryData(blocks.queryKey, now)
  const add = useMutation({
    mutationFn: (input: Input<typeof addBlock>) => call(addBlock, input),
    onSuccess: know,
  })
  const lift = useMutation({
    mutationFn: (id: string) => call(liftBlock, { id }),
    onSuccess: know,
    onError: (error) => toastFailure(error, 'We couldn’t lift the pause. Please try again.'),
  })
  return {
    ...useQuery({ ...blocks, refetchOnMount: 'always' }),
    add,
    lift,
    problem: add.error
      ? (reasonOf(add.error, isRefusal) ?? 'We couldn’t pause payments. Please try again.')
      : undefined,
  }
}

/** The weights in force, and the effect of a draft on recent orders. */
export function useWeights() {
  const cache = useQueryClient()
  const attempt = useMutation({
    mutationFn: (input: Input<typeof tryWeights>) => call(tryWeights, input),
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t try the weights. Please try again.'),
  })
  const save = useMutation({
    mutationFn: (input: Input<typeof saveWeights>) => call(saveWeights, input),
    onSuccess: (saved) => {
      cache.setQueryData(weights.queryKey, saved)
      attempt.reset()
      toast({ title: 'Saved', description: `Version ${saved.version} of the weights is now in effect.` })
    },
    onError: async (error) => {
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t save the weights. Please try again.')
      await cache.invalidateQueries({ queryKey: weights.queryKey })
    },
  })
  return { ...useQuery({ ...weights, refetchOnMount: 'always' }), attempt, save }
}
