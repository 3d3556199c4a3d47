import { useSession } from '../identity/sessions/useSession.ts'
import { toCents } from '../kit/money.ts'
import { storeName } from '../kit/storeName.client.ts'
import { formatClock, formatDay } from '../localisation/dates.rules.ts'
import { CREDIT } from '../payments/credit.contract.ts'
import { buyerLabel } from '../payments/methods.ts'
import type { Order } from './orders.contract.ts'

export function PrintedReceipt({ order }: { order: Order }) {
  const { user } = useSession()
  const { createdAt, paymentMethod, paymentId, credit } = order
  const name = [user?.firstName, user?.lastName].filter(Boolean).join(' ')
  const ways = [paymentMethod ?? 'N/A', toCents(credit) > 0 && CREDIT]
  const facts = [
    ['Store', storeName()],
    ['Buyer', [name, user?.email].filter(Boolean).join(', ')],
    ['Order number', order.id],
    ['Date', `${formatDay(createdAt)}, ${formatClock(Date.parse(createdAt))}`],
    [
      'Payment method',
      [...new Set(ways)]
        .filter((way) => way !== false)
        .map(buyerLabel)
        .join(' and '),
    ],
    ['Payment reference', paymentId],
  ]
  return (
    <dl>
      {facts.map(
        ([label, text]) =>
          text && (
            <div key={label} className="wrap-anywhere">
              <dt>{label}: </dt>
              <dd>{text}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
