import { Download } from 'lucide-react'
import { useDownload } from '../../delivery/files/useDownload.ts'
import { htmlData } from '../../kit/drawn.client.ts'
import { useNow } from '../../kit/useNow.ts'
import { filesOf, isFrozen, minutesLeft } from '../../purchases/order.rules.ts'
import type { Order } from '../../purchases/orders.contract.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { LinkButton } from '../../ui/Link.tsx'
import { useAfterRefusal } from './useAfterRefusal.ts'

const waiting = (tone: 'ghost' | 'primary' | 'quiet', text: string) => (
  <Button tone={tone} className={tone === 'quiet' ? 'flush-start' : undefined} disabled>
    {text}
  </Button>
)
const WaitingToPay = () => (
  <>
    {waiting('primary', 'Finish payment')}
    {htmlData().methods?.includes(',') && waiting('quiet', 'Pay another way')}
  </>
)
const FinishPaymentButton = lazyPart(
  () => import('../../checkout/FinishPaymentButton.tsx'),
  'FinishPaymentButton',
  <WaitingToPay />,
)
const CancelOrderButton = lazyPart(
  () => import('../../checkout/CancelOrderButton.tsx'),
  'CancelOrderButton',
  waiting('ghost', 'Cancel order'),
)

/** What the card of an order offers: to pay or cancel, or to download. `onGoods` shows several goods on the page of the order. */
export function OrderAction({
  order,
  onGoods,
}: {
  order: Order
  onGoods?: (event: { preventDefault: () => void }) => void
}) {
  const { download, busyLine } = useDownload(order.id, useAfterRefusal())
  const isLate = useMinutesLeft(order) === 0
  if (order.status === 'pending')
    return (
      <>
        {order.hold?.kind !== 'hold' && <CancelOrderButton order={order} />}
        {!isLate && !order.hold && <FinishPaymentButton order={order} />}
      </>
    )
  if (order.status !== 'completed' || isFrozen(order)) return null
  // a claimed gift whose sender was refunded
  if (order.lines.every(({ delivery, refunded }) => !delivery && refunded)) return null
  const icon = <Download className="icon" aria-hidden />
  const [file] = filesOf(order)
  if (order.lines.length !== 1 || !file)
    return (
      <LinkButton tone="soft" icon={icon} href={`/orders/${order.id}`} onClick={onGoods}>
        Download
      </LinkButton>
    )
  return (
    <Button tone="soft" icon={icon} isBusy={busyLine !== null} onClick={() => void download(file.id)}>
      Download
    </Button>
  )
}

export const DECLINED = 'You weren’t charged. Press Finish payment to try another way.'

function useMinutesLeft({ status, expiresAt, hold }: Order): number | null {
  const now = useNow(15_000)
  return status === 'pending' && hold?.kind !== 'hold' ? minutesLeft(expiresAt, now) : null
}

export function TimeLeft({ order }: { order: Order }) {
  const minutes = useMinutesLeft(order)
  if (minutes === null) return null
  return minutes === 0 ? ' · The time to pay has run out.' : ` · Pay within ${minutes} min.`
}
