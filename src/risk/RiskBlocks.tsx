import { type FormEvent, useState } from 'react'
import { formatMoment } from '../localisation/dates.rules.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Field } from '../ui/form/Field.tsx'
import { Select } from '../ui/form/Select.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { useBlocks } from './useRiskReview.ts'

const LENGTHS = [
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
  { value: '2160', label: '90 days' },
]

/** Accounts and networks whose payments are paused. Each pause expires; staff can lift it earlier. */
export function RiskBlocks() {
  const { data, isError, refetch, add, lift, problem } = useBlocks()
  const [typed, setTyped] = useState({ who: '', reason: '', hours: '24' })
  const type = (change: Partial<typeof typed>) => setTyped({ ...typed, ...change })
  const isReady = typed.who.trim().length >= 3 && typed.reason.trim() !== ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady || add.isPending) return
    add.mutate(
      { ...typed, hours: Number(typed.hours) },
      { onSuccess: () => setTyped({ who: '', reason: '', hours: typed.hours }) },
    )
  }
  return (
    <>
      <form className="card stack" aria-label="Pause payments" onSubmit={submit}>
        <Field
          label="Whose"
          hint="An account’s e-mail address, or an IP address for its whole network (/24, /48)"
          {...(problem && { error: problem })}
        >
          {(field) => (
            <input
              {...field}
              className="input"
              maxLength={254}
              autoCapitalize="none"
              autoComplete="off"
              value={typed.who}
              onChange={({ target }) => type({ who: target.value })}
            />
          )}
        </Field>
        <Field label="Why" hint="For staff only. The customer won’t see it">
          {(field) => (
            <input
              {...field}
              className="input"
              maxLength={200}
              value={typed.reason}
              onChange={({ target }) => type({ reason: target.value })}
            />
          )}
        </Field>
        <Field label="How long">
          {(field) => (
            <Select
              {...field}
              options={LENGTHS}
              value={typed.hours}
              onChange={({ target }) => type({ hours: target.value })}
            />
          )}
        </Field>
        <Button tone="primary" type="submit" className="self-start" disabled={!isReady} isBusy={add.isPending}>
          Pause payments
        </Button>
      </form>
      {isError && !data ? (
        <ErrorState title="Couldn’t load the pauses" onRetry={refetch} />
      ) : !data ? (
        <div role="status" aria-label="Loading the pauses">
          <Skeleton height="3.5rem" />
        </div>
      ) : data.length === 0 ? (
        <EmptyState scene="receipt" title="No one is paused" />
      ) : (
        <ul className="list">
          {data.map(({ id, kind, subject, reason, madeBy, expiresAt }) => (
            <li key={id} className="list__row">
              <span className="grow wrap-anywhere">
                <strong>{kind === 'network' ? 'A network' : (subject ?? 'An account')}</strong>
                <small>{reason}</small>
                <small>
                  Until {formatMoment(expiresAt)} · by {madeBy ?? 'the shop itself'}
                </small>
              </span>
              <Button
                aria-label={`Lift the pause of ${subject ?? 'a network'}`}
                isBusy={lift.isPending && lift.variables === id}
                onClick={() => lift.mutate(id)}
              >
                Lift
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
