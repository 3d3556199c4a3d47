import { type ComponentType, type ReactNode, useEffect } from 'react'
import { useIsFirstView } from '../../kit/drawn.client.ts'
import { painted } from '../../kit/painted.client.ts'
import type { Read } from '../../kit/query/query.client.ts'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { lazy } from '../../ui/lazy.client.ts'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { PageTitle } from '../../ui/PageHead.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'

/** `id` comes from the URL, or is empty. */
export type PageProps = { id: string }
export type FirstView = (id: string) => Read[]
type Script<K extends string> = Record<K, ComponentType<PageProps>> & { firstView?: FirstView }
export type LazyPage = ComponentType<PageProps> & {
  preload: () => Promise<unknown>
  isHere: () => boolean
  file: string
  /** The data for rendering on the server, after the script loads. Without it, the server renders the outline. */
  firstView: () => FirstView | undefined
}

/** `outlineOf` is a function if the outline depends on the address. */
export function lazyPage<K extends string>(
  load: () => Promise<Script<K>>,
  name: K,
  outlineOf?: PageOutline | (() => PageOutline),
) {
  const { useLoaded, preload, isHere, script } = lazy<K, ComponentType<PageProps>>(load, name)
  const firstView = () => (script() as Script<K> | undefined)?.firstView

  function Lazy({ id }: PageProps) {
    // Renders the outline first, so that a press gets an immediate response.
    const { value: Page, failure } = useLoaded(true, painted)
    const isOutline = useIsFirstView() && !firstView()
    if (Page && !isOutline) return <Page id={id} />
    if (!failure) {
      const outline = typeof outlineOf === 'function' ? outlineOf() : outlineOf
      return outline === 'selling' ? <SellingOutline height="30rem" /> : <PageSkeleton outline={outline} />
    }
    if (!navigator.onLine) return <NotKept />
    throw failure.error
  }
  return Object.assign(Lazy, { preload, isHere, firstView, file: name as string })
}

type Outline = 'shelf' | 'rows' | 'product'
type PageOutline = Outline | 'selling'

const repeat = (count: number, draw: (i: number) => ReactNode) => Array.from({ length: count }, (_, i) => draw(i))

export const PageSkeleton = ({ outline }: { outline: Outline | undefined }) => (
  <div className="section gap-5" role="status" aria-label="Loading">
    {outline === 'product' && <Skeleton className="frame" />}
    <Skeleton height="2.25rem" width="12rem" />
    {outline !== 'rows' && <Skeleton height="2.75rem" />}
    {outline === 'shelf' ? (
      <div className="products">
        {repeat(6, (i) => (
          <Skeleton key={i} className="frame" />
        ))}
      </div>
    ) : outline === 'rows' ? (
      repeat(4, (i) => <Skeleton key={i} className="skeleton--card" height="6rem" />)
    ) : (
      <Skeleton height="16rem" />
    )}
  </div>
)

/** The outline of a page of selling, with its tabs. */
export const SellingOutline = lazyPart(
  () => import('../../selling/SellerTabs.tsx'),
  'SellerPageWaiting',
  <PageSkeleton outline="rows" />,
)

/** Shown offline for a page that this device has not cached. It reloads when the connection returns. */
function NotKept() {
  useEffect(() => {
    // Reloads the whole page, because a browser does not retry a failed style sheet.
    const reload = () => location.reload()
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [])
  return (
    <>
      <PageTitle title="No Internet connection" className="sr" />
      <ErrorState title="This page will open when you’re back online" onRetry={() => location.reload()} />
    </>
  )
}
