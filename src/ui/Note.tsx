import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type NoteProps = { Icon: LucideIcon; title: string; className?: string; children: ReactNode }

export const Note = ({ Icon, title, className, children }: NoteProps) => (
  <p className={className ? `secure ${className}` : 'secure'}>
    <Icon className="icon" aria-hidden />
    <span>
      <b>{title}</b>
      {children}
    </span>
  </p>
)
