import type { CSSProperties } from 'react'

type SkeletonProps = { className?: string } & Pick<CSSProperties, 'width' | 'height'>

/** The placeholder of content that is loading, in the size of that content; as wide as its place unless told otherwise. */
export const Skeleton = ({ className, width, height }: SkeletonProps) => (
  <span className={className ? `skeleton ${className}` : 'skeleton'} style={{ width, height }} aria-hidden />
)
