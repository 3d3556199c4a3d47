import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { call } from '../kit/call.client.ts'
import type { Input } from '../kit/contract.ts'
import { isRefusal, reasonOf } from '../kit/failure.ts'
import { query } from '../kit/query/query.client.ts'
import { formatMoment } from '../localisation/dates.rules.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Field } from '../ui/form/Field.tsx'
import { Select } from '../ui/form/Select.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { addBlock, liftBlock, listBlocks, type RiskBlock } from './riskReview.contract.ts'

const blocks = query(listBlocks, {})

const LENGTHS = [
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
  { value: '2160', label: '90 days' },
]

export function RiskBlocks() {
  const { data, isError, refetch } = useQuery({ ...blocks, refetchOnMount: 'always' })
  const cache = useQueryClient()
  const know = (now: RiskBlock[]) => cache.setQueryData(blocks.queryKey, now)
  const add = useMutation({
    mutationFn: (input: Input<typeof addBlock>) => call(addBlock, input),
    onSuccess: know,
  })
  const lift = useMutation({
    mutationFn: (id: string) => call(liftBlock, { id }),
    onSuccess: know,
    onError: (error) => toastFailure(error, 'We couldn’t lift the pause. Please try again.'),
  })
  const problem = add.error
    ? (reasonOf(add.error, isRefusal) ?? 'We couldn’t pause payments. Please try again.')
    : undefined
  const [typed, setTyped] = useState({ who: '', reason: '', hours: '24' })
  const type = (change: Partial<typeof typed>) => setTyped({ ...typed, ...change })
  const text = (name: 'who' | 'reason', maxLength: number) => ({
    className: 'input',
    maxLength,
    value: typed[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => type({ [name]: target.value }),
  })
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
          error={problem}
        >
          {(field) => <input {...field} {...text('who', 254)} autoCapitalize="none" autoComplete="off" />}
        </Field>
        <Field label="Why" hint="For staff only. The customer won’t see it">
          {(field) => <input {...field} {...text('reason', 200)} />}
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
