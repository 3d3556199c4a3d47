import { useLocation } from 'wouter'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'

const waiting = <Skeleton height="30rem" />
const LearnPage = lazyPart(() => import('../courses/LearnPage.tsx'), 'LearnPage', waiting)
const OwnCoursePage = lazyPart(() => import('../courses/own/OwnCoursePage.tsx'), 'OwnCoursePage', waiting)
const ReadPage = lazyPart(() => import('./ReadPage.tsx'), 'ReadPage', waiting)

export function OpenedPage({ id }: { id: string }) {
  const [path] = useLocation()
  if (path.startsWith('/learn/own/')) return <OwnCoursePage id={id} />
  return path.startsWith('/learn/') ? <LearnPage id={id} /> : <ReadPage id={id} />
}
