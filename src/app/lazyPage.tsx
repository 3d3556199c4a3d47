import { type ComponentType, useEffect, useState } from 'react'
import { painted } from '../kit/painted.client.ts'
import { ErrorState } from '../ui/ErrorState.tsx'
import { PageTitle } from '../ui/PageHead.tsx'
import { PageSkeleton } from './PageSkeleton.tsx'

/** `id` is the one in the address, or empty. */
export type PageProps = { id: string }
export type LazyPage = ComponentType<PageProps> & { prefetch: () => Promise<void>; isHere: () => boolean }

/**
 * A page whose script comes when it is needed, or earlier through `prefetch`. Once it is here it is drawn at once:
 * React's own lazy would first show the fallback and hold it for a while.
 */
export function lazyPage(load: () => Promise<ComponentType<PageProps>>): LazyPage {
  let Page: ComponentType<PageProps> | undefined
  let loading: Promise<void> | undefined
  const prefetch = () =>
    (loading ??= load().then(
      (loaded) => {
        Page = loaded
      },
      (error: unknown) => {
        loading = undefined
        throw error
      },
    ))

  function Lazy({ id }: PageProps) {
    const [state, setState] = useState<'waiting' | 'here' | 'offline'>(Page ? 'here' : 'waiting')
    // also where the script is here by now: it may have come after the outline was drawn
    useEffect(() => {
      let isWanted = true
      // the press that led here is answered by the page's outline, before the page itself takes its time
      Promise.all([prefetch(), painted()]).then(
        () => isWanted && setState('here'),
        (error: unknown) => {
          if (!isWanted) return
          if (!navigator.onLine) return setState('offline')
          // thrown while drawing, so that the error screen shows
          setState(() => {
            throw error
          })
        },
      )
      return () => {
        isWanted = false
      }
    }, [])
    if (Page) return <Page id={id} />
    return state === 'offline' ? <NotKept /> : <PageSkeleton />
  }
  return Object.assign(Lazy, { prefetch, isHere: () => Page !== undefined })
}

/** A page that this device has not kept; it comes by itself with the connection. */
function NotKept() {
  useEffect(() => {
    // read anew from the start: a style sheet that failed once is not asked for again
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
