import { useQuery } from '@tanstack/react-query'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { query } from '../../kit/query/query.client.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { MessageList } from '../../selling/messages/MessageList.tsx'
import { listStaffThreads, type StaffThread } from '../../selling/messages/messages.contract.ts'
import { Badge } from '../../ui/Badge.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'

type StaffMessagesProps = { memberId: string } | { orderId: string }

/** The messages of buyers and sellers, which support reads but does not answer. */
export function StaffMessages(about: StaffMessagesProps) {
  const { data: threads, error, refetch } = useQuery({ ...query(listStaffThreads, about), refetchOnMount: 'always' })
  return (
    <section className="section" aria-labelledby="sale-messages">
      <h2 id="sale-messages" className="text-18">
        Between buyers and sellers
      </h2>
      {error && !threads ? (
        <ErrorState title="Couldn’t load the messages" onRetry={() => void refetch()} />
      ) : (
        threads && (
          <>
            {threads.length === 0 && <p className="muted small">No messages.</p>}
            {threads.map((thread) => (
              <Thread key={thread.id} thread={thread} />
            ))}
          </>
        )
      )}
    </section>
  )
}

const Thread = ({ thread: { buyer, seller, blockedBy, report, messages } }: { thread: StaffThread }) => (
  <details className="panel card">
    <summary>
      <span className="grow wrap-anywhere">
        {isolateRtl(buyer.name)} and {isolateRtl(seller.name)}{' '}
        <span className="muted small num">{plural(messages.length, 'message')}</span>{' '}
        {report && <Badge look="failed">Reported</Badge>}{' '}
        {blockedBy && <Badge look="plain">Ended by the {blockedBy}</Badge>}
      </span>
    </summary>
    <div className="panel__body stack">
      {report && (
        <p className="small wrap-anywhere pre-line">
          Reported {report.by && `by the ${report.by} `}
          {formatMoment(report.at)}: {report.note}
        </p>
      )}
      <MessageList
        messages={messages}
        reader="seller"
        names={{ buyer: `${buyer.name} (buyer)`, seller: `${seller.name} (seller)` }}
      />
    </div>
  </details>
)
