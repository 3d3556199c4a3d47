import { Skeleton } from '../../ui/state/Skeleton.tsx'

/** The outline of a page whose script is loading. */
export const PageSkeleton = () => (
  <div className="section gap-5" role="status" aria-label="Loading">
    <Skeleton height="2.25rem" width="12rem" />
    <Skeleton height="2.75rem" />
    <Skeleton height="16rem" />
  </div>
)
