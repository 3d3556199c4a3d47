import { toCents } from '../kit/money.ts'
import { usd } from '../localisation/usd.rules.ts'
import { Button } from '../ui/Button.tsx'
import type { Payment } from './PayButtons.tsx'

export function PayBar({ payment: { ways, terms } }: { payment: Payment }) {
  const [{ label, isBusy, isDisabled, ask }] = ways
  const due = toCents(terms.total) - toCents(terms.credit)
  return (
    <div className="paybar" role="group" aria-label="Total and payment">
      <span>
        <small className="muted">{due === toCents(terms.total) ? 'Total' : 'To pay'}</small>
        <strong className="money">{usd(due)}</strong>
      </span>
      <Button key={label} tone="primary" isBusy={isBusy} disabled={isDisabled} onClick={ask}>
        {label}
      </Button>
    </div>
  )
}
