import { useState } from 'react'
import { formatDay } from '../localisation/dates.rules.ts'
import { plural } from '../localisation/plural.rules.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { Select } from '../ui/form/Select.tsx'
import { liftSuspension, type Seller, SUSPENSIONS, suspendSeller } from './moderation.contract.ts'
import './moderation.css'
import { useAct } from './useCases.ts'
import { WordsField } from './WordsField.tsx'

export const Suspension = ({ seller }: { seller: Seller }) =>
  seller.suspension ? (
    <Suspended seller={seller} suspension={seller.suspension} />
  ) : (
    <details className="panel suspend">
      <summary>Suspend the seller</summary>
      <SuspendForm key={seller.name} seller={seller} />
    </details>
  )

type SuspendedProps = { seller: Seller; suspension: NonNullable<Seller['suspension']> }

function Suspended({ seller: { id }, suspension: { reason, at, endsAt } }: SuspendedProps) {
  const lift = useAct(liftSuspension, 'The seller can sell again')
  return (
    <div className="stack">
      <h3>Suspended</h3>
      <p className="muted small wrap-anywhere">
        Since {formatDay(at)}, {endsAt ? `until ${formatDay(endsAt)}` : 'until it is lifted'}. {reason}
      </p>
      <Button isBusy={lift.isPending} onClick={() => lift.mutate({ id })}>
        Lift the suspension
      </Button>
    </div>
  )
}

const lengths = SUSPENSIONS.map((days) => ({
  value: String(days),
  label: days === null ? 'Until lifted' : `${days} days`,
}))

function SuspendForm({ seller: { id, name, listed } }: { seller: Seller }) {
  const [days, setDays] = useState<(typeof SUSPENSIONS)[number]>(7)
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const [isTried, setTried] = useState(false)
  const suspend = useAct(suspendSeller, 'Seller suspended')
  const isSure = typed.trim() === name
  return (
    <form
      className="panel__body stack gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (reason.trim() && isSure) suspend.mutate({ id, reason, days })
        else event.currentTarget.querySelector<HTMLElement>(reason.trim() ? 'input' : 'textarea')?.focus()
      }}
    >
      <p className="small muted">
        {listed === 0
          ? 'New products stay off sale'
          : `${listed === 1 ? 'The one product leaves' : `All ${plural(listed, 'product')} leave`} the shop`}{' '}
        and payouts wait. Buyers keep what they have.
      </p>
      <Field label="For how long">
        {(field) => (
          <Select
            {...field}
            options={lengths}
            value={String(days)}
            onChange={({ target }) => setDays(SUSPENSIONS.find((one) => String(one) === target.value)!)}
          />
        )}
      </Field>
      <WordsField
        label="Why"
        value={reason}
        onChange={setReason}
        isTried={isTried}
        missing="Tell the seller why."
        most={500}
      />
      <Field label={`Type ${name} to confirm`} {...(isTried && !isSure && { error: 'This is not the name.' })}>
        {(field) => (
          <input
            {...field}
            className="input"
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
      <Button type="submit" tone="bad-line" isWide isBusy={suspend.isPending}>
        {days === null ? 'Suspend' : `Suspend for ${days} days`}
      </Button>
    </form>
  )
}
