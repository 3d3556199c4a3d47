import './editParts.css'
import type { ReactNode } from 'react'
import { anchorOf, type EditPart, type EditPartId } from './editParts.rules.ts'
import { useCurrentPart } from './useCurrentPart.ts'

/** Links to the parts of the page and marks the current one. Hidden below 1024 px. */
export function PartNav({ parts }: { parts: EditPart[] }) {
  const { current, jump } = useCurrentPart(parts.map(({ id }) => id))
  return (
    <nav className="partnav" aria-label="Parts of this page">
      {parts.map(({ id, name }) => (
        <a
          key={id}
          href={`#${anchorOf(id)}`}
          aria-current={id === current ? 'location' : undefined}
          onClick={(event) => {
            // a jump adds no entry to the history, so that Back leaves the page
            event.preventDefault()
            jump(id)
          }}
        >
          {name}
        </a>
      ))}
    </nav>
  )
}

/** The anchor of a part, also while its script is loading. */
export const PartAnchor = ({ id, children }: { id: EditPartId; children: ReactNode }) => (
  <div id={anchorOf(id)} className="partanchor stack gap-5" tabIndex={-1}>
    {children}
  </div>
)
