import { type ComponentType, useEffect, useState } from 'react'
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
    const [, setState] = useState<'waiting' | 'here'>('waiting')
    useEffect(() => {
      if (Page) return
      let isWanted = true
      prefetch().then(
        () => isWanted && setState('here'),
        // thrown while drawing, so that the error screen shows
        (error: unknown) =>
          isWanted &&
          setState(() => {
            throw error
          }),
      )
      return () => {
        isWanted = false
      }
    }, [])
    return Page ? <Page id={id} /> : <PageSkeleton />
  }
  return Object.assign(Lazy, { prefetch, isHere: () => Page !== undefined })
}
