import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../kit/call.client.ts'
import { useAskEvery } from '../../kit/query/useLive.ts'
import { query } from '../../kit/query/query.client.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { getChat, getChatStatus, sendChat } from './chat.contract.ts'

/** How often the open panel polls without the change feed, in milliseconds. A hidden tab does not poll. */
export const ASK_EVERY = 5000

/** With the change feed only the status is polled. */
const PRESENCE_EVERY = 10_000

const chat = query(getChat, {})

/** The conversation of the open panel. Polls the status, and refetches the messages when it names a new one. */
export function useChat() {
  const refetchInterval = useAskEvery(ASK_EVERY, PRESENCE_EVERY)
  const status = useQuery({ ...query(getChatStatus, {}), refetchOnMount: 'always', refetchInterval })
  const list = useQuery({ ...chat, refetchOnMount: 'always' })
  const { refetch } = list
  const newest = status.data?.newestId
  const shown = list.data?.at(-1)?.id
  useEffect(() => {
    if (newest && newest !== shown) void refetch()
    // depends on each status too, so that the next one retries a failed read
  }, [newest, status.dataUpdatedAt]) // eslint-disable-line react/exhaustive-deps
  return {
    status: status.data,
    messages: list.data ?? [],
    isPending: list.isPending,
    hasError: list.isError && !list.data,
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
