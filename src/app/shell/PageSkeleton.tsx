import { Skeleton } from '../../ui/state/Skeleton.tsx'

/** A page whose script is on the way. */
export const PageSkeleton = () => (
  <div className="section gap-5" role="status" aria-label="Loading">
    <Skeleton height="2.25rem" width="12rem" />
    <Skeleton height="2.75rem" />
    <Skeleton height="16rem" />
  </div>
)
