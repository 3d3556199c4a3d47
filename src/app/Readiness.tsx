import { useQuery } from '@tanstack/react-query'
import { Failure } from '../kit/failure.ts'
import { readinessOf } from './readiness.rules.ts'

/** Whether everything the shop depends on answers, as its own probe says. */
export function useReadiness() {
  const { data, error } = useQuery({ queryKey: ['/readyz'], refetchOnMount: 'always' })
  // a part that does not answer makes the probe's answer a refusal, which names the part
  if (error) return readinessOf(error instanceof Failure ? error.details : null)
  return data ? readinessOf(data) : undefined
}

/** The deployment-readiness card. */
export function Readiness() {
  const readiness = useReadiness()
  const { ready, all, failing } = readiness ?? { ready: 0, all: 1, failing: [] }
  return (
    <section className="card readiness" aria-labelledby="readiness">
      <h2 id="readiness">Deployment readiness</h2>
      <span className="small muted num" role="status">
        {readiness && `${ready} of ${all} ready`}
      </span>
      <div className="meter" aria-hidden>
        {Array.from({ length: all }, (_, i) => (
          <i key={i} className={readiness && (i < ready ? 'ok' : 'wait')} />
        ))}
      </div>
      {failing.map(({ name, state }) => (
        <p key={name} className="small muted">
          {name}: {state}
        </p>
      ))}
    </section>
  )
}
