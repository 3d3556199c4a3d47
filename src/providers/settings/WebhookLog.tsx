import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../kit/call.client.ts'
import type { Reply } from '../../kit/contract.ts'
import { reasonOf } from '../../kit/failure.ts'
import { query } from '../../kit/query/query.client.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { listWebhookEvents, sendTestEvent, type WebhookEvent } from '../integrations.contract.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { StaffGate } from '../../identity/StaffGate.tsx'

const eventsQuery = query(listWebhookEvents, {})

export function WebhookLog({ canTest }: { canTest: boolean }) {
  const cache = useQueryClient()
  const { data, isError, refetch } = useQuery({
    ...eventsQuery,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.some(({ processedAt }) => !processedAt) ? 2000 : false),
  })
  const test = useMutation({
    mutationFn: () => call(sendTestEvent, {}),
    onSettled: () => cache.invalidateQueries({ queryKey: eventsQuery.queryKey }),
  })
  return (
    <StaffGate>
      <section className="stack" aria-labelledby="events">
        <div className="row row--between">
          <h3 id="events">Last events</h3>
          {canTest && (
            <Button tone="soft" isBusy={test.isPending} onClick={() => test.mutate()}>
              Send test event
            </Button>
          )}
        </div>
        <p className="small" role="status">
          {test.isSuccess && resultOf(test.data)}
          {test.isError && (reasonOf(test.error) ?? 'We couldn’t send the test. Please try again.')}
        </p>
        {isError && !data ? (
          <ErrorState title="Couldn’t load the events" onRetry={refetch} />
        ) : !data ? (
          <Skeleton height="6rem" />
        ) : data.length === 0 ? (
          <p className="muted">No events yet.</p>
        ) : (
          <ul className="list">
            {data.map((event) => (
              <EventRow key={`${event.provider} ${event.id}`} event={event} />
            ))}
          </ul>
        )}
      </section>
    </StaffGate>
  )
}

const EventRow = ({ event }: { event: WebhookEvent }) => (
  <li className="list__row">
    <span className="grow">
      <strong className="wrap-anywhere">{event.eventType}</strong>
      <small>
        <time dateTime={event.receivedAt}>{formatMoment(event.receivedAt)}</time>, signature verified,{' '}
        {outcomeOf(event)}
        {event.timesReceived > 1 && `, received ${event.timesReceived} times`}
      </small>
    </span>
  </li>
)

function outcomeOf({ processedAt, problem }: WebhookEvent): string {
  if (!processedAt) return 'waits for its turn'
  return problem ? `nothing to do: ${problem}` : 'worked off'
}

function resultOf({ answer, isStored }: Reply<typeof sendTestEvent>): string {
  if (answer === null) return 'The event was sent, but there’s no response yet.'
  if (answer !== '200') return `The webhook rejected the event: ${answer}.`
  return isStored ? 'Sent, verified, and saved. See the result below.' : 'Taken, but not found in the log.'
}
