import { useLocation, useSearchParams } from 'wouter'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'

const waiting = <Skeleton height="30rem" />
const LearnPage = lazyPart(() => import('../courses/LearnPage.tsx'), 'LearnPage', waiting)
const OwnCoursePage = lazyPart(() => import('../courses/own/OwnCoursePage.tsx'), 'OwnCoursePage', waiting)
const ReadPage = lazyPart(() => import('./ReadPage.tsx'), 'ReadPage', waiting)

export function OpenedPage({ id }: { id: string }) {
  const [path] = useLocation()
  const [search] = useSearchParams()
  if (!path.startsWith('/learn/')) return <ReadPage id={id} />
  // the id is then that of a product, for its seller
  return search.has('own') ? <OwnCoursePage id={id} /> : <LearnPage id={id} />
}
