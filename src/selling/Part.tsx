import type { ReactNode } from 'react'

export const Part = ({ title, about, children }: { title: string; about?: string; children: ReactNode }) => (
  <section className="card stack gap-4" aria-label={title}>
    <div>
      <h2 className="text-18">{title}</h2>
      {about && <p className="muted small">{about}</p>}
    </div>
    {children}
  </section>
)
