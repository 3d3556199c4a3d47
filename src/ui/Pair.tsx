import type { ReactNode } from 'react'

/** A name and its value, in a `dl`. */
export const Pair = ({ name, value, className }: { name: string; value: ReactNode; className?: string }) => (
  <div className={className}>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)
