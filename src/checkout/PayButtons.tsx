import { toCents } from '../kit/money.ts'
import { usd } from '../localisation/usd.rules.ts'
import { Button } from '../ui/Button.tsx'
import { lazyDialog } from '../ui/lazyPart.tsx'
import { copiesOf, describeCharge } from './quickBuy.rules.ts'
import type { PaidCart, useWaysToPay } from './useWaysToPay.ts'

const ConfirmDialog = lazyDialog(() => import('../ui/ConfirmDialog.tsx'), 'ConfirmDialog')

export type Payment = ReturnType<typeof useWaysToPay>

/** Both ways to pay, the question before a large Quick Buy, and what a press does. */
export function PayButtons({ items, payment }: Pick<PaidCart, 'items'> & { payment: Payment }) {
  const { ways, buy, question, terms, note, isSandbox } = payment
  const copies = copiesOf(items)
  const sum = usd(toCents(terms.total))
  return (
    <div className="stack">
      {ways.map(({ label, Icon, isBusy, isDisabled, start }, i) => (
        <Button
          key={label}
          tone={i === 0 ? 'primary' : 'line'}
          isLarge
          isWide
          icon={<Icon className="icon" aria-hidden />}
          isBusy={isBusy}
          disabled={isDisabled}
          onClick={start}
        >
          {label}
        </Button>
      ))}
      {question.isWanted && (
        <ConfirmDialog {...question.props} title="Buy all of this now?" label={`Buy for ${sum}`} onConfirm={buy}>
          You are about to buy {copies.toLocaleString('en')} {copies === 1 ? 'copy' : 'copies'} for <b>{sum}</b>.{' '}
          {describeCharge(terms)}
        </ConfirmDialog>
      )}
      <p className="small muted" aria-live="polite">
        {note}
        {isSandbox && ' This is the payment sandbox, so no real money is charged.'}
      </p>
    </div>
  )
}
