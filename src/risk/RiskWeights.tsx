import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { call } from '../kit/call.client.ts'
import type { Input } from '../kit/contract.ts'
import { isRefusal, reasonOf } from '../kit/failure.ts'
import { query } from '../kit/query/query.client.ts'
import { plural } from '../localisation/plural.rules.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Field } from '../ui/form/Field.tsx'
import { Pair } from '../ui/Pair.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { toast } from '../ui/toasts/toast.client.ts'
import { getWeights, saveWeights, tryWeights, type WeightsEffect } from './riskReview.contract.ts'
import { DECISION_LABELS, problemsOf, RULE_LABELS, RULE_STEPS, THRESHOLDS } from './riskReview.rules.ts'
import { DECISIONS, RULE_NAMES, type Weights } from './score.rules.ts'

const inForce = query(getWeights, {})

export function RiskWeights() {
  const { data, isError, refetch } = useQuery({ ...inForce, refetchOnMount: 'always' })
  const cache = useQueryClient()
  const attempt = useMutation({
    mutationFn: (input: Input<typeof tryWeights>) => call(tryWeights, input),
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t try the weights. Please try again.'),
  })
  const save = useMutation({
    mutationFn: (input: Input<typeof saveWeights>) => call(saveWeights, input),
    onSuccess: (saved) => {
      cache.setQueryData(inForce.queryKey, saved)
      attempt.reset()
      toast({ title: 'Saved', description: `Version ${saved.version} of the weights is now in effect.` })
    },
    onError: async (error) => {
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t save the weights. Please try again.')
      await cache.invalidateQueries({ queryKey: inForce.queryKey })
    },
  })
  const [changes, setChanges] = useState<Partial<Record<keyof Weights, string>>>({})
  if (isError && !data) return <ErrorState title="Couldn’t load the weights" onRetry={refetch} />
  if (!data)
    return (
      <div className="stack" role="status" aria-label="Loading the weights">
        {[0, 1, 2, 3].map((i) => (
          <Skeleton key={i} height="3.5rem" />
        ))}
      </div>
    )
  const typed = (name: keyof Weights) => changes[name] ?? String(data.weights[name])
  const names = Object.keys(data.weights) as (keyof Weights)[]
  const weights = Object.fromEntries(names.map((name) => [name, Number(typed(name))])) as Weights
  const isChanged = names.some((name) => weights[name] !== data.weights[name])
  const isTried = attempt.isSuccess && JSON.stringify(attempt.variables.weights) === JSON.stringify(weights)
  const problems = problemsOf(weights)
  const field = (name: keyof Weights, label: string, hint?: string, least = 0) => (
    <Field key={name} label={label} {...(hint && { hint })} {...(problems[name] && { error: problems[name] })}>
      {(control) => (
        <input
          {...control}
          className="input num"
          type="number"
          inputMode="numeric"
          required
          min={least}
          max={100}
          value={typed(name)}
          onChange={({ target }) => setChanges({ ...changes, [name]: target.value })}
        />
      )}
    </Field>
  )
  const saveNow = () => save.mutate({ version: data.version, weights }, { onSuccess: () => setChanges({}) })
  return (
    <form
      className="stack gap-4"
      aria-label="Weights"
      onSubmit={(event) => {
        event.preventDefault()
        if (Object.keys(problems).length > 0) event.currentTarget.querySelector<HTMLElement>('[aria-invalid]')?.focus()
        else attempt.mutate({ weights })
      }}
    >
      <div className="card stack">
        <h2 className="text-16">From which score</h2>
        {THRESHOLDS.map(([name, label]) => field(name, label, undefined, 1))}
      </div>
      <div className="card stack">
        <h2 className="text-16">Points of each rule</h2>
        {RULE_NAMES.map((rule) => field(rule, RULE_LABELS[rule], RULE_STEPS[rule]))}
      </div>
      {isTried && <Effect effect={attempt.data} />}
      <div className="row">
        <Button type="submit" disabled={!isChanged} isBusy={attempt.isPending}>
          Try on the last 1,000 orders
        </Button>
        <Button tone="primary" disabled={!isTried || !isChanged} isBusy={save.isPending} onClick={saveNow}>
          Save
        </Button>
        <span className="muted small">
          {isChanged && !isTried ? 'Try them out before you save.' : `Version ${data.version} is now in effect.`}
        </span>
      </div>
    </form>
  )
}

function Effect({ effect: { orders, now, tried, changed } }: { effect: WeightsEffect }) {
  return (
    <section className="card stack" aria-label="Effect" role="status">
      <h2 className="text-16">Of the last {plural(orders, 'order')}</h2>
      <dl className="pairs">
        {DECISIONS.map((decision) => (
          <Pair
            key={decision}
            name={DECISION_LABELS[decision]}
            value={`${now[decision]} now, ${tried[decision]} with these`}
          />
        ))}
        {changed.map(({ orderId, now: before, tried: after }) => (
          <div key={orderId}>
            <dt>
              Order #<span className="mono">{orderId.slice(-8)}</span>
            </dt>
            <dd>
              {DECISION_LABELS[before]} → {DECISION_LABELS[after]}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
