import { useMutation } from '@tanstack/react-query'
import { Headset, RotateCw, X } from 'lucide-react'
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { htmlData } from '../../kit/drawn.client.ts'
import { Button } from '../../ui/Button.tsx'
import { useStore } from '../../kit/store.client.ts'
import { useOnline } from '../../kit/useOnline.ts'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { useBackCloses } from '../../ui/backEntries.client.ts'
import { BotIcon } from './BotIcon.tsx'
import './chat.css'
import { chatIsOpen } from '../../assistant/chatState.client.ts'
import { AnswerChips } from './chips/AnswerChips.tsx'
import { ChatForm, returned } from './ChatForm.tsx'
import { ChatMessages, MessagesSkeleton, TypingPerson } from './ChatMessages.tsx'
import {
  askForPerson,
  type ChatMessage,
  retryAnswer,
  sendTyping,
  scoreConversation,
  stopAnswer,
} from './chat.contract.ts'
import { useAnswer } from './useAnswer.ts'
import { useChat, useSending } from './useChat.ts'
import { STAFF } from './typing.rules.ts'
import { useSendTyping, useTyping } from './useTyping.ts'

const isWide = () => matchMedia('(min-width: 768px)').matches

export function ChatPanel({ onClose }: { onClose: () => void }) {
  const { status, messages, isPending, hasError, refetch, refresh } = useChat()
  const { send, queued } = useSending()
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
  // On phones, Back closes the sheet.
  useBackCloses(!isWide(), onClose)
  useEffect(() => focusFirst(panel, input), [])
  const isWithPerson = status?.isWithPerson ?? false
  const isPersonTyping = useTyping(STAFF, messages.findLast(({ isFromAdmin }) => isFromAdmin)?.id)
  const notifyTyping = useSendTyping(() => call(sendTyping, {}))
  const hasAssistant = status?.hasAssistant ?? true
  const turnToPerson = () =>
    !isPending && !hasError && messages.length === 0
      ? void send({ message: 'I want to talk to a person', key: crypto.randomUUID() }).catch(() => undefined)
      : act.mutate(() => call(askForPerson, { isWanted: !isWithPerson }))
  const nextSteps = (answer: ChatMessage) => (
    <AnswerChips
      key={answer.id}
      answer={answer}
      onSend={(message) => send({ message, key: crypto.randomUUID() })}
      onPerson={turnToPerson}
      onDone={() => focusFirst(panel, input)}
    />
  )
  const hasNextSteps = status !== undefined && hasAssistant && !isWithPerson && !isWorking && queued.length === 0
  return (
    <section ref={panel} className="chat chat--in" role="dialog" aria-labelledby="chat-title" tabIndex={-1}>
      <div className="chat__head">
        <span className="msg__who">{hasAssistant ? <BotIcon /> : <Headset className="icon" aria-hidden />}</span>
        <div className="grow">
          <h2 id="chat-title">{htmlData().chatName}</h2>
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
            nextSteps={hasNextSteps ? nextSteps : undefined}
            after={
              <AfterMessages
                {...{ status, messages, queued, isPersonTyping, refresh }}
                writing={isWorking && <Writing text={text} doing={doing} />}
                isRetrying={act.isPending}
                onRetry={(questionId) => act.mutate(() => call(retryAnswer, { questionId }))}
              />
            }
          >
            <ChatIntro hasAssistant={hasAssistant} />
          </ChatMessages>
        </div>
      )}
      {hasAssistant && <PersonSwitch isWithPerson={isWithPerson} isBusy={act.isPending} onSwitch={turnToPerson} />}
      <ChatForm
        key={useStore(returned)}
        place="store"
        label="Message"
        input={input}
        onSend={send}
        onTyping={isWithPerson ? notifyTyping : undefined}
        onStop={isWorking ? () => act.mutate(() => call(stopAnswer, { questionId: answering.questionId })) : undefined}
      />
    </section>
  )
}

function focusFirst(panel: RefObject<HTMLElement | null>, input: RefObject<HTMLTextAreaElement | null>) {
  // On phones, the keyboard would cover the sheet.
  const first = matchMedia('(pointer: coarse)').matches ? panel : input
  first.current?.focus({ preventScroll: true })
}

function leaveForPage(event: MouseEvent) {
  const isLink = event.target instanceof Element && event.target.closest('a')
  // The sheet would cover the next page.
  if (isLink && !isWide()) chatIsOpen.set(false)
}

const ChatIntro = ({ hasAssistant }: { hasAssistant: boolean }) => (
  <p className="chat__intro">
    Ask about an order, a code, or a product.{' '}
    {hasAssistant
      ? 'The assistant answers from the store’s own data. A person reads what it can’t answer.'
      : 'A person reads and answers.'}
  </p>
)

type PersonSwitchProps = { isWithPerson: boolean; isBusy: boolean; onSwitch: () => void }

const PersonSwitch = ({ isWithPerson, isBusy, onSwitch }: PersonSwitchProps) => (
  <div className="chat__tools">
    <Button
      tone="quiet"
      icon={isWithPerson ? <BotIcon /> : <Headset className="icon" aria-hidden />}
      isBusy={isBusy}
      onClick={onSwitch}
    >
      {isWithPerson ? 'Back to the assistant' : 'Talk to a person'}
    </Button>
  </div>
)

type AfterMessagesProps = Pick<ReturnType<typeof useChat>, 'status' | 'messages' | 'refresh'> &
  Pick<ReturnType<typeof useSending>, 'queued'> & {
    isPersonTyping: boolean
    writing: ReactNode
    isRetrying: boolean
    onRetry: (questionId: string) => void
  }

function AfterMessages({ status, messages, queued, refresh, ...props }: AfterMessagesProps) {
  const hasNetwork = useOnline()
  const answering = status?.answering ?? null
  const last = messages.at(-1)
  const isWithPerson = status?.isWithPerson ?? false
  // After an answer of staff or a later answer, there is nothing to retry.
  const isLastOpen = last?.isFromUser === true || last?.isStopped === true
  const canRetry = answering !== null && answering.state !== 'working' && isLastOpen && !isWithPerson
  return (
    <>
      {props.writing}
      {props.isPersonTyping && <TypingPerson />}
      {canRetry && (
        <p className="chat__note" role="status">
          {answering.state === 'failed' ? 'The answer broke off.' : 'You stopped the answer.'}
          <Button
            icon={<RotateCw className="icon" aria-hidden />}
            isBusy={props.isRetrying}
            onClick={() => props.onRetry(answering.questionId)}
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
          <p className="msg__meta">{hasNetwork ? 'Waits to be sent' : 'Waits for a connection'}</p>
        </div>
      ))}
      {isWithPerson && !last?.isFromAdmin && queued.length === 0 && (
        <p className="chat__note" role="status">
          You asked for a person. {status?.personText}. You can close the chat; we email you the answer.
        </p>
      )}
      {status?.asksScore && <AskScore onDone={refresh} />}
    </>
  )
}

const Writing = ({ text, doing }: { text: string; doing: string }) => (
  <div className="msg msg--bot">
    <span className="msg__who" aria-hidden>
      <BotIcon />
    </span>
    <div className="msg__text" aria-hidden>
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
    onError: (error) => toastFailure(error, 'We couldn’t save your answer. Please try again.'),
  })
  return (
    <fieldset className="chat__score" disabled={isPending}>
      <legend>How satisfied are you with our help? (1: not at all, 5: very)</legend>
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
