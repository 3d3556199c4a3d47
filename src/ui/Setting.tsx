import { ChevronRight, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { type DialogProps, useDialog } from './useDialog.ts'

export const Setting = ({ title, about, children }: { title: string; about?: string; children: ReactNode }) => (
  <section className="setting">
    <div className="setting__head">
      <h2>{title}</h2>
      {about && <p>{about}</p>}
    </div>
    <div className="setting__body">{children}</div>
  </section>
)

type DialogRowProps = {
  Icon: LucideIcon
  name: string
  about?: string
  value?: string
  children: (dialog: DialogProps) => ReactNode
}

export function DialogRow({ Icon, name, about, value, children }: DialogRowProps) {
  const { isWanted, open, props } = useDialog()
  return (
    <>
      <button type="button" className="list__row" onClick={open}>
        <Icon className="icon" aria-hidden />
        <span className="grow">
          <strong>{name}</strong>
          {about && <small className="wrap-anywhere">{about}</small>}
        </span>
        {value && <span className="muted small">{value}</span>}
        <ChevronRight className="icon" aria-hidden />
      </button>
      {isWanted && children(props)}
    </>
  )
}
