import type { CSSProperties } from 'react'

type SkeletonProps = { className?: string } & Pick<CSSProperties, 'width' | 'height'>

export const Skeleton = ({ className, width, height }: SkeletonProps) => (
  <span className={className ? `skeleton ${className}` : 'skeleton'} style={{ width, height }} aria-hidden />
)
