import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { call } from '../kit/call.client.ts'
import type { Input, Reply } from '../kit/contract.ts'
import { isRefusal, reasonOf } from '../kit/failure.ts'
import { query } from '../kit/query/query.client.ts'
import { plural } from '../localisation/plural.rules.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Field } from '../ui/form/Field.tsx'
import { changedFields } from '../ui/form/savedForm.rules.ts'
import { useSavedForm } from '../ui/form/useSavedForm.ts'
import { Pair } from '../ui/Pair.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { toast } from '../ui/toasts/toast.client.ts'
import { getWeights, saveWeights, tryWeights, type WeightsEffect } from './riskReview.contract.ts'
import { DECISION_LABELS, problemsOf, RULE_LABELS, RULE_STEPS, THRESHOLDS } from './riskReview.rules.ts'
import { DECISIONS, RULE_NAMES, type Weights } from './score.rules.ts'

const inForce = query(getWeights, {})

type Typed = Record<keyof Weights, string>

const typedOf = (weights: Weights) =>
  Object.fromEntries(Object.entries(weights).map(([name, points]) => [name, String(points)])) as Typed
const readWeights = (typed: Typed) =>
  Object.fromEntries(Object.entries(typed).map(([name, points]) => [name, Number(points)])) as Weights

export function RiskWeights() {
  const { data, isError, refetch } = useQuery({ ...inForce, refetchOnMount: 'always' })
  if (data) return <WeightsForm saved={data} />
  if (isError) return <ErrorState title="Couldn’t load the weights" onRetry={refetch} />
  return (
    <div className="stack" role="status" aria-label="Loading the weights">
      {[0, 1, 2, 3].map((i) => (
        <Skeleton key={i} height="3.5rem" />
      ))}
    </div>
  )
}

function WeightsForm({ saved }: { saved: Reply<typeof getWeights> }) {
  const cache = useQueryClient()
  const attempt = useMutation({
    mutationFn: (input: Input<typeof tryWeights>) => call(tryWeights, input),
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t try the weights. Please try again.'),
  })
  const form = useSavedForm({
    saved,
    valuesOf: ({ weights }) => typedOf(weights),
    problemsOf: (typed) => problemsOf(readWeights(typed)),
    save: async (typed, { version }) => {
      const next = await call(saveWeights, { version, weights: readWeights(typed) })
      cache.setQueryData(inForce.queryKey, next)
      attempt.reset()
      toast({ title: 'Saved', description: `Version ${next.version} of the weights is now in effect.` })
    },
    failure: 'We couldn’t save the weights. Please try again.',
    onFailure: (error, message) => {
      toastFailure(error, message)
      return cache.invalidateQueries({ queryKey: inForce.queryKey })
    },
  })
  const weights = readWeights(form.values)
  const isTried = attempt.isSuccess && JSON.stringify(attempt.variables.weights) === JSON.stringify(weights)
  const isChanged = changedFields(saved.weights, weights).length > 0
  const problems = problemsOf(weights)
  const field = (name: keyof Weights, label: string, hint?: string, least = 0) => (
    <Field key={name} label={label} hint={hint} error={problems[name]}>
      {(control) => (
        <input
          {...control}
          {...form.field(name)}
          className="input num"
          type="number"
          inputMode="numeric"
          required
          min={least}
          max={100}
        />
      )}
    </Field>
  )
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
      {isTried && <Effect effect={attempt.data} />}
      <div className="row">
        <Button type="submit" disabled={!isChanged} isBusy={attempt.isPending}>
          Try on the last 1,000 orders
        </Button>
        <Button tone="primary" disabled={!isTried || !isChanged} isBusy={form.isBusy} onClick={form.submit}>
          Save
        </Button>
        <span className="muted small">
          {isChanged && !isTried ? 'Try them out before you save.' : `Version ${saved.version} is now in effect.`}
        </span>
      </div>
      <div className="card stack">
        <h2 className="text-16">From which score</h2>
        {THRESHOLDS.map(([name, label]) => field(name, label, undefined, 1))}
      </div>
      <div className="card stack">
        <h2 className="text-16">Points of each rule</h2>
        {RULE_NAMES.map((rule) => field(rule, RULE_LABELS[rule], RULE_STEPS[rule]))}
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
