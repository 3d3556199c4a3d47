import { useMutation } from '@tanstack/react-query'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { decideRefund, type RefundApproval } from '../../aftersale/refunds/refund.contract.ts'
import { DID } from '../../delivery/uses.rules.ts'
import { useSession } from '../../identity/sessions/useSession.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isAllowed } from '../../kit/contract.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { toCents } from '../../kit/money.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { OrderPart } from './OrderPart.tsx'

type ApproveRefundProps = { approval: RefundApproval; refresh: () => Promise<unknown> }

export function ApproveRefund({
  approval: { id, amount, reason, askedBy, at, used, lines },
  refresh,
}: ApproveRefundProps) {
  const { user } = useSession()
  const decide = useMutation({
    mutationFn: (isApproved: boolean) => call(decideRefund, { id, isApproved, usedAt: used[0]?.at ?? null }),
    onError: (error) => toastFailure(error, reasonOf(error, isRefusal) ?? 'Failed to decide. Please try again.'),
    onSettled: refresh,
  })
  const canDecide = user !== null && user.email !== askedBy && isAllowed('finance', user.role)
  return (
    <OrderPart title="Waiting for approval">
      <div className="card stack">
        <p className="wrap-anywhere">
          <strong className="money">{usd(toCents(amount))}</strong> · {reason}
        </p>
        {lines && (
          <p className="small wrap-anywhere">
            For {lines.map(({ title, copies }) => isolateRtl(copies > 1 ? `${copies} × ${title}` : title)).join(', ')}
          </p>
        )}
        <p className="muted small">
          Asked for by {askedBy ?? 'the command line'}, {formatMoment(at)}.{' '}
          {!canDecide && 'Another member of staff with the role finance or administrator decides.'}
        </p>
        {used.length > 0 && (
          <ul className="bullets stack gap-1 text-14" aria-label="Since then">
            {used.map(({ title, kind, at }) => (
              <li key={at + title} className="wrap-anywhere">
                The buyer {DID[kind]} “<bdi>{title}</bdi>”, {formatMoment(at)}
              </li>
            ))}
          </ul>
        )}
        {canDecide && (
          <div className="row">
            <Button tone="bad-line" isBusy={decide.isPending} onClick={() => decide.mutate(true)}>
              Approve refund
            </Button>
            <Button disabled={decide.isPending} onClick={() => decide.mutate(false)}>
              Reject
            </Button>
          </div>
        )}
      </div>
    </OrderPart>
  )
}
