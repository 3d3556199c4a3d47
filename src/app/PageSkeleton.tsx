import { Skeleton } from '../ui/Skeleton.tsx'

/** A page whose script is on the way. */
export const PageSkeleton = () => (
  <div className="section gap-5" role="status" aria-label="Loading">
    <Skeleton className="h-9 w-48" />
    <Skeleton className="h-11 w-full" />
    <Skeleton className="h-64 w-full" />
  </div>
)
