import { type ReactNode, useId } from 'react'

export function OrderPart({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId()
  return (
    <section className="stack gap-2" aria-labelledby={heading}>
      <h2 id={heading} className="text-18">
        {title}
      </h2>
      {children}
    </section>
  )
}

export const Pairs = ({ pairs }: { pairs: ([name: string, value: ReactNode] | false | null | undefined)[] }) => (
  <dl className="pairs">
    {pairs.map(
      (pair) =>
        pair && (
          <div key={pair[0]}>
            <dt>{pair[0]}</dt>
            <dd>{pair[1]}</dd>
          </div>
        ),
    )}
  </dl>
)
