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
