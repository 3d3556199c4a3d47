import '../selling.css'
import { TriangleAlert } from 'lucide-react'
import { Link } from '../../ui/Link.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { usd } from '../../localisation/usd.rules.ts'
import { toCents } from '../../kit/money.ts'
import type { OwnPayouts } from '../../payments/payouts/payouts.contract.ts'

export function PayoutNotice({ payouts: { next, payouts } }: { payouts: OwnPayouts }) {
  const { hold } = next
  if (!hold?.todo || hold.code === 'details_missing') return null
  const last = payouts[0]
  const isBack = last?.state === 'failed' || last?.state === 'returned'
  return (
    <div className="alert" role="alert">
      <TriangleAlert className="icon" aria-hidden />
      <div className="alert__text">
        <strong>{isBack ? `Your payout of ${usd(toCents(last.amount))} came back` : 'Your payouts wait'}</strong>
        <p>
          {hold.why}
          {isBack && ' The money is in your balance again.'}
        </p>
      </div>
      <div className="alert__do">
        <Link className={buttonClass({ tone: 'primary' })} href={hold.todo.href}>
          {hold.todo.label}
        </Link>
      </div>
    </div>
  )
}
