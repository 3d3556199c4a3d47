import type { ReactNode } from 'react'

export const Pair = ({ name, value, className }: { name: string; value: ReactNode; className?: string }) => (
  <div className={className}>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)
