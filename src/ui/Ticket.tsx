import type { HTMLAttributes, ReactNode } from 'react'

type TicketProps = { isRow?: boolean; children: ReactNode } & HTMLAttributes<HTMLElement>

/** A card with notches between its TicketParts, for goods that a member owns. `isRow`: horizontal from 768 px. */
export const Ticket = ({ isRow, className = '', children, ...rest }: TicketProps) => (
  <section className={`ticket ${isRow ? 'ticket--row' : ''} ${className}`} {...rest}>
    {children}
  </section>
)

export const TicketPart = ({ className = '', children }: { className?: string; children: ReactNode }) => (
  <div className={`ticket__part ${className}`}>{children}</div>
)
