import type { ReactNode } from 'react'

type BadgeProps = {
  look?: 'plain' | 'accent' | 'active' | 'setup' | 'completed' | 'pending' | 'failed' | 'refunded' | 'neutral'
  icon?: ReactNode
  children: ReactNode
  className?: string
}

/** A label for a short fact. Colour alone does not convey a status: add an icon and a word. */
export const Badge = ({ look = 'neutral', icon, children, className = '' }: BadgeProps) => (
  <span className={`badge badge--${look} ${className}`}>
    {icon}
    {children}
  </span>
)
