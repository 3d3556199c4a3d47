import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../kit/call.client.ts'
import { keyOf, query } from '../../kit/query/query.client.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import {
  answerCustomer,
  getThread,
  type Inbox,
  listConversations,
  markRead,
  settleConversation,
} from './inbox.contract.ts'
import { listOnce } from './inbox.rules.ts'
import { ASK_EVERY } from '../chat/chat.rules.ts'
import type { Draft } from '../chat/ChatForm.tsx'

const conversations = { queryKey: keyOf(listConversations, {}) }

/** Loads all conversations page by page. Polling while visible also marks staff as online. */
export function useConversations() {
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage, ...rest } = useInfiniteQuery({
    ...conversations,
    queryFn: ({ pageParam }: { pageParam: string | undefined }) =>
      call(listConversations, pageParam === undefined ? {} : { after: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ after }: Inbox) => after,
    refetchOnMount: 'always',
    refetchInterval: ASK_EVERY,
  })
  return {
    inbox: data?.pages[0],
    all: listOnce(data?.pages.flatMap((page) => page.conversations) ?? []),
    readMore: hasNextPage ? () => void fetchNextPage() : null,
    isReadingMore: isFetchingNextPage,
    ...rest,
  }
}

/** Loads one conversation. Showing it marks it as read. */
export function useThread(userId: string) {
  const cache = useQueryClient()
  const thread = query(getThread, { userId })
  const { data, ...rest } = useQuery({ ...thread, refetchOnMount: 'always', refetchInterval: ASK_EVERY })
  const messageId = data?.messages.at(-1)?.id

  useEffect(() => {
    if (!messageId || document.visibilityState === 'hidden') return
    call(markRead, { userId, messageId }).then(
      () => cache.invalidateQueries({ queryKey: conversations.queryKey }),
      // It stays unread until the next message or visit.
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
      call(
        answerCustomer,
        { userId, message, ...(messageId && { seenId: messageId }) },
        { headers: { 'idempotency-key': key } },
      ),
    onSuccess: () => void refresh(),
    onError: (error) => {
      // Another agent may have answered.
      void refresh()
      toastFailure(error, 'Failed to send message. Please try again.')
    },
  })
  const settle = useMutation({
    mutationFn: () => call(settleConversation, { userId, messageId: messageId! }),
    onSuccess: refresh,
    onError: (error) => toastFailure(error, 'We couldn’t resolve the conversation. Please try again.'),
  })
  return { thread: data, answer, settle, ...rest }
}
