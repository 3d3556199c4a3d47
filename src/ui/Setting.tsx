import type { ReactNode } from 'react'

/** One section of Settings. */
export const Setting = ({ title, about, children }: { title: string; about?: string; children: ReactNode }) => (
  <section className="setting">
    <div className="setting__head">
      <h2>{title}</h2>
      {about && <p>{about}</p>}
    </div>
    <div className="setting__body">{children}</div>
  </section>
)
