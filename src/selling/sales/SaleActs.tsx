import { useMutation } from '@tanstack/react-query'
import { Gift, KeyRound, Mail, MessageCircle, Undo2 } from 'lucide-react'
import { resendReceipt } from '../../aftersale/sellerSales/sellerRefund.contract.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { toCents } from '../../kit/money.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { TicketPart } from '../../ui/Ticket.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { useDialog } from '../../ui/useDialog.ts'
import type { SaleDetail } from './sales.contract.ts'

const SellerRefundDialog = lazyDialog(
  () => import('../../aftersale/sellerSales/SellerRefundDialog.tsx'),
  'SellerRefundDialog',
)
const ExtendDialog = lazyDialog(() => import('../../delivery/licenses/ExtendDialog.tsx'), 'ExtendDialog')

const GiveCopyDialog = lazyDialog(() => import('./GiveCopyDialog.tsx'), 'GiveCopyDialog')

const ICON = { className: 'icon', 'aria-hidden': true } as const
const CLOSED = ['ended', 'frozen']

type SaleActsProps = { sale: SaleDetail; refresh: () => Promise<unknown>; onMessage: () => void }

/** What a seller can do after a sale. */
export function SaleActs({ sale, refresh, onMessage }: SaleActsProps) {
  const { id, title, productId, license, state, canGiveCopy } = sale
  const [refunding, extending, giving] = [useDialog(), useDialog(), useDialog()]
  const resend = useMutation({
    mutationFn: () => call(resendReceipt, { id }),
    onSuccess: ({ isSent }) =>
      toast(
        isSent
          ? { title: 'Email sent', description: 'The buyer gets the link to the order again.', tone: 'good' }
          : { title: 'Already sent today', description: 'You can send this email once a day.' },
      ),
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'Failed to send the email. Please try again.'),
  })
  const canRefund = toCents(sale.amount) > toCents(sale.refunded) && state !== 'disputed'
  const canOpen = state !== 'refunded' && state !== 'disputed'
  const canExtend = license !== null && !CLOSED.includes(license.state)
  return (
    <TicketPart className="row">
      {canRefund && (
        <Button icon={<Undo2 {...ICON} />} onClick={refunding.open}>
          Refund
        </Button>
      )}
      {canOpen && (
        <Button icon={<Mail {...ICON} />} isBusy={resend.isPending} onClick={() => resend.mutate()}>
          Resend
        </Button>
      )}
      {canExtend && (
        <Button icon={<KeyRound {...ICON} />} onClick={extending.open}>
          Extend
        </Button>
      )}
      {canGiveCopy && (
        <Button icon={<Gift {...ICON} />} onClick={giving.open}>
          Give a copy
        </Button>
      )}
      <Button tone="ghost" icon={<MessageCircle {...ICON} />} onClick={onMessage}>
        Message us
      </Button>
      {refunding.isWanted && (
        <SellerRefundDialog {...refunding.props} {...{ id, title, refresh }} hasGifts={sale.given > 0} />
      )}
      {giving.isWanted && <GiveCopyDialog {...giving.props} {...{ productId, title }} />}
      {license && extending.isWanted && (
        <ExtendDialog
          key={`${license.expiresAt} ${license.devicesPerSeat}`}
          {...extending.props}
          {...{ productId, license, refresh }}
        />
      )}
    </TicketPart>
  )
}
