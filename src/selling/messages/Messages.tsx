import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban, Flag } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { keyOf, query } from '../../kit/query/query.client.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { Menu } from '../../ui/menu/Menu.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { useDialog } from '../../ui/useDialog.ts'
import { MessageList } from './MessageList.tsx'
import {
  blockMessages,
  getMessages,
  markMessagesRead,
  MAX_MESSAGE,
  type MessageThread,
  sendMessage,
} from './messages.contract.ts'
import { idOf, whyClosed } from './messages.rules.ts'

const ReportMessages = lazyDialog(() => import('./ReportMessages.tsx'), 'ReportMessages')

const LOOK_EVERY_MS = 20_000
const ICON = { className: 'icon', 'aria-hidden': true } as const

/** The thread of the buyer and the seller of a sale. `id` is the line of the order. */
export function Messages({ id }: { id: string }) {
  const cache = useQueryClient()
  const {
    data: thread,
    error,
    refetch,
  } = useQuery({
    ...query(getMessages, { id }),
    refetchOnMount: 'always',
    refetchInterval: LOOK_EVERY_MS,
  })
  const newest = thread?.messages.at(-1)?.id
  const isUnread = thread?.isUnread ?? false
  useEffect(() => {
    // a failure leaves the messages unread until the next view
    if (isUnread && newest) void call(markMessagesRead, { id, messageId: newest }).catch(() => undefined)
  }, [id, newest, isUnread])
  if (error && !thread) return <ErrorState title="Couldn’t load the messages" onRetry={() => void refetch()} />
  if (!thread) return <Skeleton height="8rem" />
  const set = (changed: MessageThread) => cache.setQueryData(keyOf(getMessages, { id }), changed)
  const { side, name, messages, closed } = thread
  return (
    <div className="stack">
      <div className="row row--between row--nowrap">
        <span className="muted small">Support can read these messages.</span>
        <ThreadMenu id={id} thread={thread} onChange={set} />
      </div>
      {messages.length > 0 && <MessageList messages={messages} reader={side} names={namesOf(thread)} />}
      {closed ? (
        <p className="muted small" role="status">
          {isolateRtl(whyClosed(closed, name))}
        </p>
      ) : (
        <Write id={id} name={name} onSent={set} />
      )}
    </div>
  )
}

const namesOf = ({ side, name }: MessageThread) =>
  side === 'buyer' ? { buyer: 'You', seller: name } : { buyer: name, seller: 'You' }

type ThreadPartProps = { id: string; thread: MessageThread; onChange: (thread: MessageThread) => void }

function ThreadMenu({ id, thread: { name, closed, isReported }, onChange }: ThreadPartProps) {
  const report = useDialog()
  const block = useMutation({
    mutationFn: (isBlocked: boolean) => call(blockMessages, { id, isBlocked }),
    onSuccess: (changed) => {
      onChange(changed)
      toast({ title: changed.closed === 'own' ? 'Thread ended' : 'Thread opened again' })
    },
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'Failed to change the thread. Please try again.'),
  })
  const items = [
    ...(closed === 'staff'
      ? []
      : [
          {
            label: closed === 'own' ? 'Open the thread again' : 'End this thread',
            icon: <Ban {...ICON} />,
            onChoose: () => block.mutate(closed !== 'own'),
          },
        ]),
    { label: isReported ? 'Report again' : 'Report to us', icon: <Flag {...ICON} />, onChoose: report.open },
  ]
  return (
    <>
      <Menu label={`More for the messages with ${name}`} items={items} />
      {report.isWanted && <ReportMessages {...report.props} id={id} name={name} onReported={onChange} />}
    </>
  )
}

type WriteProps = { id: string; name: string; onSent: (thread: MessageThread) => void }

function Write({ id, name, onSent }: WriteProps) {
  const [text, setText] = useState('')
  const last = useRef<{ messageId: string; text: string } | null>(null)
  const send = useMutation({
    mutationFn: () => {
      last.current = { messageId: idOf(last.current, text), text }
      return call(sendMessage, { id, ...last.current })
    },
    onSuccess: (thread) => {
      onSent(thread)
      setText('')
      last.current = null
    },
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'Failed to send the message. Please try again.'),
  })
  const isEmpty = text.trim() === ''
  return (
    <form
      className="stack gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isEmpty && !send.isPending) send.mutate()
      }}
    >
      <Field label={`Write to ${name}`}>
        {(field) => (
          <textarea
            {...field}
            className="input"
            rows={3}
            maxLength={MAX_MESSAGE}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <div className="row">
        <Button tone="primary" type="submit" isBusy={send.isPending} aria-disabled={isEmpty || undefined}>
          Send
        </Button>
      </div>
    </form>
  )
}
