import type { ReactNode } from 'react'

/** A name and its value, in a `dl`. */
export const Pair = ({ name, value }: { name: string; value: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)
