import { useMutation, useQuery } from '@tanstack/react-query'
import { Headset, RotateCw, X } from 'lucide-react'
import { type MouseEvent, useEffect, useEffectEvent, useRef } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { useSession } from '../../identity/sessions/useSession.ts'
import { useStore } from '../../kit/store.client.ts'
import { Button } from '../../ui/Button.tsx'
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
import {
  askForPerson,
  getChat,
  getChatStatus,
  retryAnswer,
  scoreConversation,
  sendChat,
  stopAnswer,
} from './chat.contract.ts'
import { ASK_EVERY } from './chat.rules.ts'
import { enqueue, flush, outbox, readOutbox } from './outbox.client.ts'
import { useAnswer } from './useAnswer.ts'

/** With the change feed only the status is polled. In milliseconds. */
const PRESENCE_EVERY = 10_000

const chat = query(getChat, {})

const isWide = () => matchMedia('(min-width: 768px)').matches

/** The chat: beside the page on wide screens, a sheet over it on phones. The page stays usable. */
export function ChatPanel({ onClose }: { onClose: () => void }) {
  const { status, messages, isPending, hasError, refetch, refresh } = useChat()
  const { send, queued } = useSending(refresh)
  const answering = status?.answering ?? null
  const isWorking = answering?.state === 'working'
  const { text, doing } = useAnswer(isWorking ? answering.questionId : null, refresh)
  const act = useMutation({
    mutationFn: (what: () => Promise<unknown>) => what(),
    onSettled: refresh,
    onError: (error) => toastFailure(error, 'That did not work. Please try again.'),
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
  const isWithPerson = status?.isWithPerson ?? false
  const turnToPerson = () =>
    messages.length === 0
      ? void send({ message: 'I want to talk to a person', key: crypto.randomUUID() }).catch(() => undefined)
      : act.mutate(() => call(askForPerson, { isWanted: !isWithPerson }))
  return (
    <section ref={panel} className="chat chat--in" role="dialog" aria-labelledby="chat-title" tabIndex={-1}>
      <div className="chat__head">
        <span className="msg__who">
          <BotIcon />
        </span>
        <div className="grow">
          <h2 id="chat-title">AI Assistant</h2>
          <Status status={status} isWorking={isWorking} />
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
          <ChatMessages
            messages={messages}
            side="customer"
            onPerson={isWithPerson ? undefined : turnToPerson}
            after={
              <>
                {isWorking && <Writing text={text} doing={doing} />}
                {answering?.state === 'failed' && (
                  <p className="chat__note" role="status">
                    The answer broke off.
                    <Button
                      icon={<RotateCw className="icon" aria-hidden />}
                      isBusy={act.isPending}
                      onClick={() => act.mutate(() => call(retryAnswer, { questionId: answering.questionId }))}
                    >
                      Try again
                    </Button>
                  </p>
                )}
                {queued.map((one) => (
                  <div key={one.key} className="msg msg--me is-queued">
                    <span className="msg__who" aria-hidden>
                      U
                    </span>
                    <div className="msg__text">{one.message}</div>
                    <p className="msg__meta">Waits for a connection</p>
                  </div>
                ))}
                {isWithPerson && !messages.at(-1)?.isFromAdmin && queued.length === 0 && (
                  <p className="chat__note" role="status">
                    You asked for a person. {status?.personText}. You can close the chat; we email you the answer.
                  </p>
                )}
                {status?.asksScore && <AskScore onDone={refresh} />}
              </>
            }
          >
            <p className="chat__intro">
              Ask about an order, a code, or a product. The assistant answers from the store’s own data. A person reads
              what it can’t answer.
            </p>
          </ChatMessages>
        </div>
      )}
      <div className="chat__tools">
        <Button
          tone="quiet"
          icon={isWithPerson ? <BotIcon /> : <Headset className="icon" aria-hidden />}
          isBusy={act.isPending}
          onClick={turnToPerson}
        >
          {isWithPerson ? 'Back to the assistant' : 'Talk to a person'}
        </Button>
      </div>
      <ChatForm
        place="store"
        label="Message"
        input={input}
        onSend={send}
        onStop={isWorking ? () => act.mutate(() => call(stopAnswer, { questionId: answering.questionId })) : undefined}
      />
    </section>
  )
}

/** The answer so far. Readers hear what the assistant does, and the whole answer when it is there. */
const Writing = ({ text, doing }: { text: string; doing: string }) => (
  <div className="msg msg--bot">
    <span className="msg__who" aria-hidden>
      <BotIcon />
    </span>
    <div className="msg__text" aria-hidden={text === '' || undefined}>
      {text}
      <span className="typing" aria-hidden />
    </div>
    <p className="msg__meta" role="status">
      {doing || 'The assistant is writing'}
    </p>
  </div>
)

function AskScore({ onDone }: { onDone: () => void }) {
  const { mutate, isPending } = useMutation({
    mutationFn: (given: number) => call(scoreConversation, { score: given }),
    onSettled: onDone,
  })
  return (
    <fieldset className="chat__score" disabled={isPending}>
      <legend>How satisfied are you with our help?</legend>
      {[1, 2, 3, 4, 5].map((given) => (
        <button
          key={given}
          type="button"
          className="btn btn--line"
          aria-label={`${given} of 5`}
          onClick={() => mutate(given)}
        >
          {given}
        </button>
      ))}
    </fieldset>
  )
}

/** Sends a message, or keeps it while the device is offline. */
function useSending(refresh: () => void) {
  const { user } = useSession()
  const userId = user?.id ?? ''
  const hasNetwork = useOnline()
  const queued = useStore(outbox)
  const post = ({ message, key }: Draft) => call(sendChat, { message }, { headers: { 'idempotency-key': key } })
  const { mutateAsync } = useMutation({
    mutationFn: post,
    onSuccess: refresh,
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

type StatusProps = {
  status:
    { isOnline: boolean; text: string; isWithPerson: boolean; isPersonHere: boolean; personText: string } | undefined
  isWorking: boolean
}

function Status({ status, isWorking }: StatusProps) {
  const hasNetwork = useOnline()
  return (
    <p role="status">
      {!hasNetwork ? (
        'No Internet connection'
      ) : isWorking ? (
        'Answering'
      ) : status ? (
        <>
          <span
            className={(status.isWithPerson ? status.isPersonHere : status.isOnline) ? 'pulse' : 'pulse pulse--off'}
            aria-hidden
          />
          {status.isWithPerson ? status.personText : status.text}
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
    refresh: () => {
      void status.refetch()
      void refetch()
    },
  }
}
