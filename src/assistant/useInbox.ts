import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../kit/call.client.ts'
import { query } from '../kit/query.client.ts'
import { toastFailure } from '../ui/toast.client.ts'
import { answerCustomer, getThread, listConversations, markRead, settleConversation } from './inbox.contract.ts'
import { ASK_EVERY, type Draft } from './useChat.ts'

const conversations = query(listConversations, {})

/** Every conversation, asked again while the page is looked at; that also tells customers that somebody is there. */
export const useConversations = () =>
  useQuery({ ...conversations, refetchOnMount: 'always', refetchInterval: ASK_EVERY })

/** One conversation; what is shown counts as read. */
export function useThread(userId: string) {
  const cache = useQueryClient()
  const thread = query(getThread, { userId })
  const { data, ...rest } = useQuery({ ...thread, refetchOnMount: 'always', refetchInterval: ASK_EVERY })
  const messageId = data?.messages.at(-1)?.id

  useEffect(() => {
    if (!messageId || document.visibilityState === 'hidden') return
    call(markRead, { userId, messageId }).then(
      () => cache.invalidateQueries({ queryKey: conversations.queryKey }),
      // it stays unread, and is marked with the next message or visit
      () => undefined,
    )
  }, [cache, userId, messageId])

  const refresh = async () => {
    await Promise.all([
      cache.invalidateQueries({ queryKey: thread.queryKey }),
      cache.invalidateQueries({ queryKey: conversations.queryKey }),
    ])
  }
  const answer = useMutation({
    mutationFn: ({ message, key }: Draft) =>
      call(answerCustomer, { userId, message }, { headers: { 'idempotency-key': key } }),
    onSuccess: () => void refresh(),
    onError: (error) => toastFailure(error, 'Failed to send message. Please try again.'),
  })
  const settle = useMutation({
    mutationFn: () => call(settleConversation, { userId, messageId: messageId! }),
    onSuccess: refresh,
    onError: (error) => toastFailure(error, 'The conversation could not be settled. Please try again.'),
  })
  return { thread: data, answer, settle, ...rest }
}
