import { type ComponentType, type ReactNode, useEffect, useEffectEvent } from 'react'
import { Button } from './Button.tsx'
import { lazy, useRetryOnline } from './lazy.client.ts'
import { toast } from './toasts/toast.client.ts'

export function lazyPart<K extends string, P extends object>(
  load: () => Promise<Record<K, ComponentType<P>>>,
  name: K,
  waiting: ReactNode = null,
) {
  const { useLoaded, preload } = lazy(load, name)

  function Part(props: P) {
    const { value: Loaded, failure, retry } = useLoaded()
    useRetryOnline({ failure, retry })
    if (Loaded) return <Loaded {...props} />
    if (!failure) return waiting
    return (
      <div role="alert" className="row muted small">
        This part of the page didn’t load.
        <Button tone="quiet" onClick={retry}>
          Try again
        </Button>
      </div>
    )
  }
  return Object.assign(Part, { preload })
}

type DialogProps = { isOpen?: boolean; onClose: () => void }

/** A dialog whose script loads when it opens. A failed load closes it with a notification. The next press retries. */
export function lazyDialog<K extends string, P extends DialogProps>(
  load: () => Promise<Record<K, ComponentType<P>>>,
  name: K,
) {
  const { useLoaded, preload } = lazy(load, name)

  function Dialog(props: P) {
    const { isOpen = true, onClose } = props
    const { value: Loaded, failure } = useLoaded(isOpen)
    const giveUp = useEffectEvent(() => {
      onClose()
      const description = navigator.onLine
        ? 'We couldn’t open this. Please try again, or refresh the page.'
        : 'This opens when you’re back online.'
      toast({ title: 'Error', description, tone: 'bad' })
    })
    useEffect(() => {
      if (failure) giveUp()
    }, [failure])
    return Loaded ? <Loaded {...props} /> : null
  }
  return Object.assign(Dialog, { preload })
}
