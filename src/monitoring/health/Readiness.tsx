import { ChevronDown } from 'lucide-react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { useReadiness } from './useReadiness.ts'

/** A card for staff, and one quiet line that opens it for everybody else. */
export function Readiness() {
  const { user } = useSession()
  const readiness = useReadiness()
  const title = <h2 id="readiness">Deployment readiness</h2>
  const count = (
    <span className="num" role="status">
      {readiness && `${readiness.ready} of ${readiness.all} ready`}
    </span>
  )
  if (user?.isAdmin)
    return (
      <section className="card readiness" aria-labelledby="readiness">
        {title}
        <span className="small muted">{count}</span>
        <Parts readiness={readiness} />
      </section>
    )
  return (
    <details className="readiness--line">
      <summary>
        {title}
        {count}
        <ChevronDown className="icon icon--sm" aria-hidden />
      </summary>
      <section className="card readiness" aria-labelledby="readiness">
        <Parts readiness={readiness} />
      </section>
    </details>
  )
}

function Parts({ readiness }: { readiness: ReturnType<typeof useReadiness> }) {
  const { ready, all, parts } = readiness ?? { ready: 0, all: 1, parts: [] }
  return (
    <>
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
    </>
  )
}
