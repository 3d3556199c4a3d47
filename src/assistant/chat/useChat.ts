import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { useAskEvery } from '../../kit/query/useLive.ts'
import { useStore } from '../../kit/store.client.ts'
import { useOnline } from '../../kit/useOnline.ts'
import { type ChatMessage, getChat, getChatStatus, sendChat } from './chat.contract.ts'
import { ASK_EVERY } from './chat.rules.ts'
import type { Draft } from './ChatForm.tsx'
import { enqueue, flush, outbox, readOutbox } from './outbox.client.ts'

/** With the change feed only the status is polled. In milliseconds. */
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
    /** After a message that is in the list already. */
    look: () => void status.refetch(),
    refresh: () => {
      void status.refetch()
      void refetch()
    },
  }
}

/** Sends a message, or keeps it while the device is offline. */
export function useSending(look: () => void, refresh: () => void) {
  const cache = useQueryClient()
  const { user } = useSession()
  const userId = user?.id ?? ''
  const hasNetwork = useOnline()
  const queued = useStore(outbox)
  const post = ({ message, key }: Draft) => call(sendChat, { message }, { headers: { 'idempotency-key': key } })
  const { mutateAsync } = useMutation({
    mutationFn: post,
    onSuccess: (sent) => {
      // reading the whole conversation again would cost more than the message
      cache.setQueryData<ChatMessage[]>(chat.queryKey, (known) =>
        known && !known.some(({ id }) => id === sent.id) ? [...known, sent] : known,
      )
      look()
    },
    onError: (error) => toastFailure(error, 'Failed to send message. Please try again.'),
  })
  useEffect(() => {
    if (!userId) return
    readOutbox(userId)
    if (hasNetwork)
      void flush(userId, post).then(
        (sent) => sent > 0 && refresh(),
        () => undefined,
      )
  }, [userId, hasNetwork]) // eslint-disable-line react/exhaustive-deps -- at a connection, not at each drawing
  const send = async (draft: Draft): Promise<unknown> => {
    const isKept = !navigator.onLine && userId !== '' && enqueue(userId, { ...draft, at: new Date().toISOString() })
    return isKept ? null : mutateAsync(draft)
  }
  return { send, queued }
}
