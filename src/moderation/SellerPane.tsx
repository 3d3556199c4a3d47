import { useState } from 'react'
import { plural } from '../localisation/plural.rules.ts'
import { formatDay } from '../localisation/dates.rules.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { Select } from '../ui/form/Select.tsx'
import { Pair } from '../ui/Pair.tsx'
import { type CaseFile, liftSuspension, SUSPENSIONS, suspendSeller } from './moderation.contract.ts'
import { useAct } from './useCases.ts'
import { WordsField } from './WordsField.tsx'

type SellerProps = Pick<CaseFile, 'seller' | 'isOwn'>

export function SellerPane({ seller, isOwn }: SellerProps) {
  const { name, email, since, listed, takeDowns, suspension } = seller
  return (
    <>
      <div className="stack gap-1">
        <h2 className="text-18">{name}</h2>
        <p className="muted small wrap-anywhere">{email}</p>
        <p className="muted small">Member since {formatDay(since)}</p>
      </div>
      <dl className="pairs small">
        <Pair name="Products" value={`${listed.toLocaleString('en')} listed`} />
        <Pair name="Take-downs" value={String(takeDowns)} />
      </dl>
      {isOwn ? null : suspension ? (
        <Suspended seller={seller} suspension={suspension} />
      ) : (
        <details className="panel suspend">
          <summary>Suspend the seller</summary>
          <SuspendForm key={name} seller={seller} />
        </details>
      )}
    </>
  )
}

type SuspendedProps = { seller: CaseFile['seller']; suspension: NonNullable<CaseFile['seller']['suspension']> }

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

function SuspendForm({ seller: { id, name, listed } }: { seller: CaseFile['seller'] }) {
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
        {listed === 1 ? 'The one product leaves' : `All ${plural(listed, 'product')} leave`} the shop and payouts wait.
        Buyers keep what they have.
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
