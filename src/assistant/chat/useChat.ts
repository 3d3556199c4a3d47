import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../kit/call.client.ts'
import { useAskEvery } from '../../kit/query/useLive.ts'
import { query } from '../../kit/query/query.client.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { getChat, getChatStatus, sendChat } from './chat.contract.ts'

/** How often the open panel asks what is new, in milliseconds, when news does not come by itself; a hidden tab does not ask. */
export const ASK_EVERY = 5000

/** Messages come by themselves; who is there is asked. */
const PRESENCE_EVERY = 10_000

const chat = query(getChat, {})

/** The conversation while the panel is open: the status is asked often, the messages when it names a new one. */
export function useChat() {
  const refetchInterval = useAskEvery(ASK_EVERY, PRESENCE_EVERY)
  const status = useQuery({ ...query(getChatStatus, {}), refetchOnMount: 'always', refetchInterval })
  const list = useQuery({ ...chat, refetchOnMount: 'always' })
  const { refetch } = list
  const newest = status.data?.newestId
  const shown = list.data?.at(-1)?.id
  useEffect(() => {
    if (newest && newest !== shown) void refetch()
    // asked again with each status, so that a read that failed is made up for; not after each read of its own
  }, [newest, status.dataUpdatedAt]) // eslint-disable-line react/exhaustive-deps
  return {
    status: status.data,
    messages: list.data ?? [],
    isPending: list.isPending,
    hasError: list.isError && !list.data,
    isFetching: list.isFetching,
    refetch: () => void refetch(),
  }
}

export type Draft = { message: string; key: string }

export function useSendMessage() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ message, key }: Draft) => call(sendChat, { message }, { headers: { 'idempotency-key': key } }),
    onSuccess: () => void cache.invalidateQueries({ queryKey: chat.queryKey }),
    onError: (error) => toastFailure(error, 'Failed to send message. Please try again.'),
  })
}
