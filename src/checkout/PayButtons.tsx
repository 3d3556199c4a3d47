import { toCents } from '../kit/money.ts'
import { plural } from '../localisation/plural.rules.ts'
import { usd } from '../localisation/usd.rules.ts'
import { hasChoice } from '../payments/methods/useMethods.ts'
import { Button } from '../ui/Button.tsx'
import { lazy } from '../ui/lazy.client.ts'
import { lazyDialog } from '../ui/lazyPart.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { copiesOf, describeCharge } from './quickBuy/quickBuy.rules.ts'
import type { PaidCart, useWaysToPay } from './useWaysToPay.ts'

const ConfirmDialog = lazyDialog(() => import('../ui/ConfirmDialog.tsx'), 'ConfirmDialog')

const chooserPart = lazy(() => import('../payments/methods/MethodChooser.tsx'), 'MethodChooser')

export type Payment = ReturnType<typeof useWaysToPay>

export function PayButtons({ items, payment }: Pick<PaidCart, 'items'> & { payment: Payment }) {
  const { ways, buy, question, terms, note, isSandbox, choosing, pick } = payment
  const { value: MethodChooser } = chooserPart.useLoaded(hasChoice())
  const copies = copiesOf(items)
  const sum = usd(toCents(terms.total))
  return (
    <div className="stack">
      {hasChoice() &&
        choosing &&
        (MethodChooser ? (
          <MethodChooser data={choosing} value={choosing.choice} onPick={pick} />
        ) : (
          // height of the rows (5 rem each) and of the question (2 rem)
          <Skeleton height={`${2 + 5 * (choosing.methods.length + choosing.saved.length)}rem`} />
        ))}
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
          You are about to buy {plural(copies, 'copy', 'copies')} for <b>{sum}</b>. {describeCharge(terms)}
        </ConfirmDialog>
      )}
      <p className="small muted" aria-live="polite">
        {note}
        {isSandbox && ' Sandbox: no real money is charged.'}
      </p>
    </div>
  )
}
