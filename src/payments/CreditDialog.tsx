import { formatMoment } from '../localisation/dates.rules.ts'
import { usd } from '../localisation/usd.rules.ts'
import { toCents } from '../kit/money.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../ui/Dialog.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Link } from '../ui/Link.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { type CreditEntry, type CreditKind, MANY_ENTRIES } from './credit.contract.ts'
import { signedUsd } from './credit.rules.ts'
import { useCredit } from './useCredit.ts'

export function CreditDialog(dialog: { isOpen: boolean; onClose: () => void }) {
  const { data: credit, isError, refetch } = useCredit()
  const debt = credit ? toCents(credit.debt) : 0
  return (
    <Dialog
      {...dialog}
      title="Store Credit"
      description={
        credit ? `You can spend ${usd(toCents(credit.balance))}.` : 'What you can spend, and how it came to be.'
      }
    >
      <DialogBody>
        {debt > 0 && (
          <p className="muted">
            {usd(debt)} of a bonus was spent before its order was refunded. You owe nothing: the next credit fills it
            first.
          </p>
        )}
        {!credit ? (
          isError ? (
            <ErrorState title="Couldn’t load your credit" onRetry={refetch} />
          ) : (
            <Skeleton height="7rem" />
          )
        ) : credit.entries.length === 0 ? (
          <p className="muted">Nothing yet. Credit you earn, spend, or get back will show up here.</p>
        ) : (
          <ul className="list">
            {credit.entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ul>
        )}
        {credit?.entries.length === MANY_ENTRIES && <p className="muted small">The last {MANY_ENTRIES} are shown.</p>}
      </DialogBody>
      <DialogFoot>
        <Button onClick={dialog.onClose}>Done</Button>
      </DialogFoot>
    </Dialog>
  )
}

const names: Record<CreditKind, string> = {
  earned: 'Earned with your first purchase',
  spent: 'Spent',
  returned: 'Returned from an unpaid order',
  refunded: 'Refunded',
  taken_back: 'Deducted after a refund',
  given: 'A gift from the store',
  bounced: 'A refund that your bank returned',
  reclaimed: 'Paid to you another way',
}

const Entry = ({ entry: { kind, amount, orderId, why, at } }: { entry: CreditEntry }) => (
  <li className="list__row">
    <span className="grow">
      {names[kind]}
      <small>
        {why && `${why} · `}
        <time dateTime={at}>{formatMoment(at)}</time>
        {orderId && (
          <>
            {' · '}
            <Link className="mono text-link" href={`/orders/${orderId}`} aria-label={`Order ${orderId.slice(-8)}`}>
              #{orderId.slice(-8)}
            </Link>
          </>
        )}
      </small>
    </span>
    <b className="money">{signedUsd(amount)}</b>
  </li>
)
