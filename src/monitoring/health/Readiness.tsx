import { useReadiness } from './useReadiness.ts'

export function Readiness() {
  const readiness = useReadiness()
  const { ready, all, parts } = readiness ?? { ready: 0, all: 1, parts: [] }
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
      {parts.map(({ name, state, mend }) => (
        <p key={name} className="small muted">
          {name}: {state}
          {mend && `. ${mend.charAt(0).toUpperCase()}${mend.slice(1)}.`}
        </p>
      ))}
    </section>
  )
}
