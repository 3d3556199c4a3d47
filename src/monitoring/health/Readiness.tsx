import { ChevronDown } from 'lucide-react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { useReadiness } from './useReadiness.ts'

/** A card for staff, and one quiet line that opens it for everybody else. */
export function Readiness() {
  const { user } = useSession()
  const readiness = useReadiness()
  const { ready, all, parts } = readiness ?? { ready: 0, all: 1, parts: [] }
  const head = (
    <>
      <h2 id="readiness">Deployment readiness</h2>
      <span className="small muted num" role="status">
        {readiness && `${ready} of ${all} ready`}
      </span>
    </>
  )
  const card = (
    <section className="card readiness" aria-labelledby="readiness">
      {user?.isAdmin && head}
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
  if (user?.isAdmin) return card
  return (
    <details className="readiness--line">
      <summary>
        {head}
        <ChevronDown className="icon icon--sm" aria-hidden />
      </summary>
      {card}
    </details>
  )
}
