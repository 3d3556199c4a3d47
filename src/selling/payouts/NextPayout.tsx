import { Clock } from 'lucide-react'
import { call } from '../../kit/call.client.ts'
import { toCents } from '../../kit/money.ts'
import { formatDay, formatMoment } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { type OwnPayouts, requestPayout } from '../../payments/payouts/payouts.contract.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { TicketPart } from '../../ui/Ticket.tsx'
import { usePayoutAct } from './usePayouts.ts'

export function NextPayout({ payouts }: { payouts: OwnPayouts }) {
  const { next, available, minimum, details } = payouts
  const { kind, at, amount, hold } = next
  const request = usePayoutAct(() => call(requestPayout, {}), 'Payout requested')
  const rest = toCents(available.startsWith('-') ? '0' : available)
  if (kind === 'request' && toCents(amount) === 0 && (!hold || hold.code === 'details_missing'))
    return (
      <TicketPart className="stack gap-2">
        <h2 className="balance__name">Next payout</h2>
        <p>You can’t request a payout yet. Payouts start at {usd(toCents(minimum))}.</p>
      </TicketPart>
    )
  const canRequest = details !== null && (kind === 'open' ? rest >= toCents(minimum) : !hold)
  return (
    <TicketPart className="stack gap-2">
      <h2 className="balance__name">Next payout</h2>
      <p>
        <strong>{dayOf(next)}</strong>
      </p>
      <p className="balance__figure">{usd(toCents(amount))}</p>
      {hold && (
        <div className="stack gap-1">
          <div className="row">
            <Badge look="setup" icon={<Clock className="icon" aria-hidden />}>
              {hold.code === 'late' ? 'Late' : 'On hold'}
            </Badge>
          </div>
          <p className="muted small">
            {hold.why}
            {hold.code === 'details_new' && at && ` They go on after ${formatMoment(at)}.`}
          </p>
        </div>
      )}
      {!hold && kind === 'scheduled' && (
        <p className="muted small">What is available on that day goes out; so far this.</p>
      )}
      {canRequest && (
        <div className="row">
          <Button tone="primary" isBusy={request.isPending} onClick={() => request.mutate(undefined)}>
            {kind === 'open' ? `Request ${usd(rest)} more` : 'Request it now'}
          </Button>
        </div>
      )}
    </TicketPart>
  )
}

function dayOf({ kind, at }: OwnPayouts['next']): string {
  if (kind === 'request' || !at) return 'When you ask for it'
  return kind === 'open' ? `By ${formatDay(at)}` : formatDay(at)
}
