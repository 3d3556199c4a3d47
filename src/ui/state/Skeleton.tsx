import type { CSSProperties } from 'react'

type SkeletonProps = { className?: string } & Pick<CSSProperties, 'width' | 'height'>

/** The placeholder of loading content, in its size. Fills its container by default. */
export const Skeleton = ({ className, width, height }: SkeletonProps) => (
  <span className={className ? `skeleton ${className}` : 'skeleton'} style={{ width, height }} aria-hidden />
)
