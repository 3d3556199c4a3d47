import type { CSSProperties } from 'react'

/** A place that is being filled; give it the size of what will stand there. */
export const Skeleton = ({ className = '', style }: { className?: string; style?: CSSProperties }) => (
  <span className={`skeleton ${className}`} style={style} aria-hidden />
)
