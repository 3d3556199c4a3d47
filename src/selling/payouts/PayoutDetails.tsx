import { ShieldCheck } from 'lucide-react'
import { call } from '../../kit/call.client.ts'
import { toCents } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { type OwnPayouts, setPayoutSchedule } from '../../payments/payouts/payouts.contract.ts'
import { Button } from '../../ui/Button.tsx'
import { Segment } from '../../ui/form/Segment.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { Pair } from '../../ui/Pair.tsx'
import { useDialog } from '../../ui/useDialog.ts'
import { usePayoutAct } from './usePayouts.ts'

const PayoutDetailsDialog = lazyDialog(() => import('./PayoutDetailsDialog.tsx'), 'PayoutDetailsDialog')

const schedules = [
  { value: 'request' as const, label: 'When I ask' },
  { value: 'monthly' as const, label: 'Each month' },
]

export function PayoutDetails({ payouts }: { payouts: OwnPayouts }) {
  const { details, minimum, methods, reviewDays } = payouts
  const dialog = useDialog()
  const choose = usePayoutAct((schedule: 'request' | 'monthly') => call(setPayoutSchedule, { schedule }), 'Saved')
  return (
    <section className="section" aria-labelledby="details">
      <h2 id="details">Payout details</h2>
      <div className="card stack">
        <dl className="pairs">
          <Pair name="Payouts go to" value={details ? `Your ${details.label}` : 'Nowhere yet'} />
          <Pair name="From" value={usd(toCents(minimum))} />
          <Pair name="We approve within" value={reviewDays === 1 ? 'a day' : `${reviewDays} days`} />
        </dl>
        {details?.rejection && <p className="field__error">{details.rejection}</p>}
        {details && (
          <Segment
            label="When payouts go out"
            options={schedules}
            value={choose.isPending ? choose.variables : details.schedule}
            onChange={(schedule) => choose.mutate(schedule)}
          />
        )}
        {methods.length === 0 ? (
          <p className="muted small">This shop is not set up to pay sellers yet. Your money stays in your balance.</p>
        ) : (
          <Button tone="soft" isWide onClick={dialog.open}>
            {details ? 'Change payout details' : 'Add payout details'}
          </Button>
        )}
        <p className="secure">
          <ShieldCheck className="icon" aria-hidden />
          <span>Changing them asks for your password or passkey. Payouts then wait 24 hours.</span>
        </p>
      </div>
      {dialog.isWanted && <PayoutDetailsDialog {...dialog.props} methods={methods} />}
    </section>
  )
}
