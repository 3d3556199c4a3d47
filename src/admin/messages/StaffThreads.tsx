import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { query } from '../../kit/query/query.client.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { MessageList } from '../../selling/messages/MessageList.tsx'
import {
  getStaffMessages,
  listStaffThreads,
  type MessageReport,
  settleMessages,
  type StaffThread,
} from '../../selling/messages/messages.contract.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'

type About = { memberId: string } | { orderId: string } | { show: 'reported' }

/** The threads of buyers and sellers. Opening a thread loads its messages. */
export function StaffThreads({ about, none }: { about: About; none: ReactNode }) {
  const { data: threads, error, refetch } = useQuery({ ...query(listStaffThreads, about), refetchOnMount: 'always' })
  if (error && !threads) return <ErrorState title="Couldn’t load the messages" onRetry={() => void refetch()} />
  if (!threads) return <Skeleton height="3rem" />
  if (threads.length === 0) return none
  return threads.map((thread) => <Thread key={thread.id} thread={thread} />)
}

function Thread({ thread }: { thread: StaffThread }) {
  const [isOpen, setOpen] = useState(false)
  const { buyer, seller, endedBy, openReports, messages } = thread
  return (
    <details className="panel card" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className="grow wrap-anywhere">
          {isolateRtl(buyer.name)} and {isolateRtl(seller.name)}{' '}
          <span className="muted small num">{plural(messages, 'message')}</span>{' '}
          {openReports > 0 && <Badge look="failed">Reported</Badge>}{' '}
          {endedBy.map((side) => (
            <Badge key={side} look="plain">
              {side === 'staff' ? 'Ended by staff' : `Ended by the ${side}`}
            </Badge>
          ))}
        </span>
      </summary>
      <div className="panel__body stack">{isOpen && <ThreadBody thread={thread} />}</div>
    </details>
  )
}

function ThreadBody({ thread }: { thread: StaffThread }) {
  const { id, buyer, seller, isOwn } = thread
  const { data, error, refetch } = useQuery({ ...query(getStaffMessages, { id }), refetchOnMount: 'always' })
  if (error && !data) return <ErrorState title="Couldn’t load the messages" onRetry={() => void refetch()} />
  if (!data) return <Skeleton height="8rem" />
  const names = { buyer: `${buyer.name} (buyer)`, seller: `${seller.name} (seller)` }
  const present = new Set(data.messages.map((message) => message.id))
  const reported = data.reports.flatMap((report) => report.messages)
  const gone = [...new Map(reported.map((message) => [message.id, message])).values()].filter(
    (message) => !present.has(message.id),
  )
  return (
    <>
      {data.reports.map((report) => (
        <Report key={report.id} report={report} />
      ))}
      {data.messages.length > 0 && <MessageList messages={data.messages} reader="seller" names={names} />}
      {gone.length > 0 && (
        <>
          <p className="small">Reported, and no longer in the thread:</p>
          <MessageList messages={gone} reader="seller" names={names} />
        </>
      )}
      {isOwn ? (
        <p className="muted small">You are a side of this thread. Another member of staff decides about reports.</p>
      ) : (
        <Settle thread={thread} />
      )}
    </>
  )
}

const Report = ({ report: { by, at, closedAt, note } }: { report: MessageReport }) => (
  <p className="small wrap-anywhere pre-line">
    Reported by the {by} {formatMoment(at)}
    {closedAt && `, closed ${formatMoment(closedAt)}`}: {isolateRtl(note)}
  </p>
)

function Settle({ thread: { id, endedBy, openReports } }: { thread: StaffThread }) {
  const cache = useQueryClient()
  const settle = useMutation({
    mutationFn: (isEnded: boolean) => call(settleMessages, { id, isEnded }),
    onSuccess: (_, isEnded) => {
      for (const key of ['/api/admin/messages', '/api/admin/waiting']) void cache.invalidateQueries({ queryKey: [key] })
      toast({ title: isEnded ? 'Thread ended' : 'Saved' })
    },
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'Failed to save the decision. Please try again.'),
  })
  const isEnded = endedBy.includes('staff')
  return (
    <div className="row">
      {openReports > 0 && (
        <Button isBusy={settle.isPending} onClick={() => settle.mutate(isEnded)}>
          Close the report
        </Button>
      )}
      <Button tone={isEnded ? 'soft' : 'bad-line'} isBusy={settle.isPending} onClick={() => settle.mutate(!isEnded)}>
        {isEnded ? 'Open the thread again' : 'End the thread for both'}
      </Button>
    </div>
  )
}
