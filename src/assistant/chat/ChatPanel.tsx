import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type MouseEvent, useEffect, useEffectEvent, useRef } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { useAskEvery } from '../../kit/query/useLive.ts'
import { useOnline } from '../../kit/useOnline.ts'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { useBackCloses } from '../../ui/backEntries.client.ts'
import { BotIcon } from './BotIcon.tsx'
import './chat.css'
import { chatIsOpen } from '../chatState.client.ts'
import { ChatForm, type Draft } from './ChatForm.tsx'
import { ChatMessages, MessagesSkeleton } from './ChatMessages.tsx'
import { getChat, getChatStatus, sendChat } from './chat.contract.ts'
import { ASK_EVERY } from './chat.rules.ts'

/** With the change feed only the status is polled. In milliseconds. */
const PRESENCE_EVERY = 10_000

const chat = query(getChat, {})

const isWide = () => matchMedia('(min-width: 768px)').matches

/** The chat: beside the page on wide screens, a sheet over it on phones. The page stays usable. */
export function ChatPanel({ onClose }: { onClose: () => void }) {
  const { status, messages, isPending, hasError, refetch } = useChat()
  const cache = useQueryClient()
  const send = useMutation({
    mutationFn: ({ message, key }: Draft) => call(sendChat, { message }, { headers: { 'idempotency-key': key } }),
    onSuccess: () => void cache.invalidateQueries({ queryKey: chat.queryKey }),
    onError: (error) => toastFailure(error, 'Failed to send message. Please try again.'),
  })
  const panel = useRef<HTMLElement>(null)
  const input = useRef<HTMLTextAreaElement>(null)
  useEscape(panel, onClose)
  // on phones Back closes the sheet
  useBackCloses(!isWide(), onClose)
  useEffect(() => {
    // on phones the keyboard would cover the sheet
    const first = matchMedia('(pointer: coarse)').matches ? panel : input
    first.current?.focus({ preventScroll: true })
  }, [])
  const leaveForPage = (event: MouseEvent) => {
    const isLink = event.target instanceof Element && event.target.closest('a')
    // the sheet would cover the next page
    if (isLink && !isWide()) chatIsOpen.set(false)
  }
  return (
    <section ref={panel} className="chat chat--in" role="dialog" aria-labelledby="chat-title" tabIndex={-1}>
      <div className="chat__head">
        <span className="msg__who">
          <BotIcon />
        </span>
        <div className="grow">
          <h2 id="chat-title">AI Assistant</h2>
          <Status status={status} />
        </div>
        <button type="button" className="icon-btn" aria-label="Close chat" onClick={onClose}>
          <X className="icon" aria-hidden />
        </button>
      </div>
      {hasError ? (
        <div className="chat__log">
          <ErrorState title="Couldn’t load the messages" onRetry={refetch} />
        </div>
      ) : isPending ? (
        <MessagesSkeleton />
      ) : (
        <div className="contents" onClick={leaveForPage} role="presentation">
          <ChatMessages messages={messages} side="customer">
            <p className="chat__intro">
              Ask about an order, a code, or a product. The assistant suggests help articles, and a person reads your
              messages and answers here.
            </p>
          </ChatMessages>
        </div>
      )}
      <ChatForm place="store" label="Message" input={input} onSend={send.mutateAsync} />
    </section>
  )
}

function Status({ status }: { status: { isOnline: boolean; text: string } | undefined }) {
  const hasNetwork = useOnline()
  return (
    <p role="status">
      {!hasNetwork ? (
        'No Internet connection'
      ) : status ? (
        <>
          <span className={status.isOnline ? 'pulse' : 'pulse pulse--off'} aria-hidden />
          {status.text}
        </>
      ) : (
        <Skeleton height="1rem" width="10rem" />
      )}
    </p>
  )
}

/** Escape closes the panel when the focus is in it, on its button, or nowhere. */
function useEscape(panel: { current: HTMLElement | null }, onClose: () => void) {
  const press = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    const { activeElement } = document
    const isHere =
      activeElement === document.body ||
      panel.current?.contains(activeElement) ||
      activeElement?.matches('.chat-button')
    if (isHere) onClose()
  })
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => press(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

/** The conversation of the open panel. Polls the status, and refetches the messages when it names a new one. */
function useChat() {
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
