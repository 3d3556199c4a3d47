import { useMutation } from '@tanstack/react-query'
import { Check, CircleAlert, Clock } from 'lucide-react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { type QueuedException, settleLate, writeOffLoss } from '../../providers/usdc/transfers.contract.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.client.ts'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { Link } from '../../ui/Link.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { useDialog } from '../../ui/useDialog.ts'

const ConfirmDialog = lazyDialog(() => import('../../ui/ConfirmDialog.tsx'), 'ConfirmDialog')
const SentDialog = lazyDialog(() => import('./SentDialog.tsx'), 'SentDialog')

const KINDS: Record<QueuedException['kind'], string> = {
  underpaid: 'Too little at the end',
  overpaid: 'Too much',
  late: 'Late',
  reorganised: 'Reorganised after delivery',
  refund: 'Refund to send',
}
const RESOLUTIONS = {
  returned: 'Sent back',
  settled: 'Completed the order',
  recovered: 'Settled by itself',
  written_off: 'Loss borne',
}

function waitOf({ isOwn, refundAddress, waitsUntil, kind, state }: QueuedException): string | undefined {
  if (isOwn) return 'Your own purchase: another member of staff decides.'
  if (state === 'sent')
    return 'Waits until the chain confirms the transaction. Name another one if your wallet replaced it.'
  if (waitsUntil) return `The buyer changed the address: send nothing before ${formatMoment(waitsUntil)}.`
  if (kind !== 'reorganised' && !refundAddress) return 'The buyer was asked for an address by mail.'
  return undefined
}

export function ExceptionRow({ exception, onDone }: { exception: QueuedException; onDone: () => void }) {
  const { id, kind, amount, state, buyer, orderId, due, received, network, refundAddress, txHash, problem } = exception
  const wait = waitOf(exception)
  const isDone = state === 'done'
  return (
    <li className="list__row row--wrap">
      <span className="grow grow--column wrap-anywhere">
        <strong>
          {KINDS[kind]}, {amount} USDC
        </strong>
        <small>
          {buyer},{' '}
          <Link className="text-link" href={`/admin/orders/${orderId}`}>
            order #{orderId.slice(-8)}
          </Link>
          , {formatMoment(exception.doneAt ?? exception.createdAt)}
        </small>
        <small>
          {received} of {due} USDC arrived on {network}
        </small>
        {refundAddress && <small className="mono">To {refundAddress}</small>}
        {txHash && <small className="mono">{txHash}</small>}
        {problem && <small role="alert">{problem}</small>}
        {!isDone && wait && <small>{wait}</small>}
      </span>
      {isDone ? (
        <Badge look="active" icon={<Check className="icon" aria-hidden />}>
          {RESOLUTIONS[exception.resolution!]}
        </Badge>
      ) : state === 'sent' ? (
        <Badge look="pending" icon={<Clock className="icon" aria-hidden />}>
          Sent
        </Badge>
      ) : (
        <Badge look={kind === 'reorganised' ? 'failed' : 'setup'} icon={<CircleAlert className="icon" aria-hidden />}>
          {refundAddress || kind === 'reorganised' ? 'To decide' : 'Waits for the buyer'}
        </Badge>
      )}
      {!isDone && !exception.isOwn && <Decisions key={id} exception={exception} onDone={onDone} />}
    </li>
  )
}

function Decisions({ exception, onDone }: { exception: QueuedException; onDone: () => void }) {
  const { id, kind, amount, state, refundAddress, waitsUntil } = exception
  const sent = useDialog()
  const question = useDialog()
  const isLoss = kind === 'reorganised'
  const decide = useMutation({
    mutationFn: () => call(isLoss ? writeOffLoss : settleLate, { id }),
    onSuccess: () => {
      toast({ title: isLoss ? 'Loss borne' : 'The order completes in a moment' })
      onDone()
    },
    onError: (error) => toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t save that. Please try again.'),
  })
  return (
    <span className="row gap-2">
      {refundAddress && !waitsUntil && (
        <>
          <Button onClick={() => void copyText(refundAddress, 'The address')}>Copy address</Button>
          <Button tone="primary" onClick={sent.open}>
            {state === 'sent' ? 'Name another' : 'Mark as sent'}
          </Button>
        </>
      )}
      {state === 'open' && (kind === 'late' || isLoss) && (
        <Button isBusy={decide.isPending} onClick={question.open}>
          {isLoss ? 'Bear the loss' : 'Complete the order'}
        </Button>
      )}
      {sent.isWanted && <SentDialog {...sent.props} exception={exception} onDone={onDone} />}
      {question.isWanted && (
        <ConfirmDialog
          {...question.props}
          title={isLoss ? 'Bear this loss?' : 'Complete this order?'}
          label={isLoss ? `Bear ${amount} USDC` : 'Complete it'}
          onConfirm={() => decide.mutate()}
        >
          {isLoss
            ? 'The buyer keeps the goods, and the sellers their share. The ledger books the loss of the shop.'
            : 'The buyer gets the goods at the prices of the order. Agree on it with the buyer first: they may have bought elsewhere.'}
        </ConfirmDialog>
      )}
    </span>
  )
}
