import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { useAskEvery } from '../../kit/query/useLive.ts'
import { useStore } from '../../kit/store.client.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import { getChat, getChatStatus } from './chat.contract.ts'
import { ASK_EVERY } from './chat.rules.ts'
import { type Draft, returnToDraft } from './ChatForm.tsx'
import { enqueue, hasQueued, outbox, post, readOutbox, showSent, takeRefused } from './outbox.client.ts'

/** Poll interval of the status in milliseconds. With the change feed, messages are not polled. */
const PRESENCE_EVERY = 10_000

const chat = query(getChat, {})

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
    refresh: () => {
      void status.refetch()
      void refetch()
    },
  }
}

export function useSending() {
  const { user } = useSession()
  const userId = user?.id ?? ''
  const queued = useStore(outbox)
  const { mutateAsync } = useMutation({
    mutationFn: post,
    onSuccess: showSent,
    onError: (error) => toastFailure(error, 'Failed to send message. Please try again.'),
  })
  useEffect(() => readOutbox(userId), [userId])
  const refused = queued.find(({ reason }) => reason !== undefined)?.key
  useEffect(() => {
    if (refused === undefined) return
    const taken = takeRefused(userId)
    for (const { message } of taken.toReversed()) returnToDraft('store', message)
    for (const { reason } of taken) toast({ title: 'Your message was not sent', description: reason!, tone: 'bad' })
  }, [refused, userId])
  const send = async (draft: Draft): Promise<unknown> => {
    const mustWait = userId !== '' && (!navigator.onLine || hasQueued(userId))
    if (!mustWait) return mutateAsync(draft)
    if (enqueue(userId, { ...draft, at: new Date().toISOString() })) return null
    const full = new Error('no room for another message')
    toastFailure(full, 'Other messages wait to be sent. Please try again later.')
    throw full
  }
  return { send, queued: queued.filter(({ reason }) => reason === undefined) }
}
