import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { Button } from './Button.tsx'
import { late } from './late.client.ts'
import { toast } from './toast.client.ts'

// What a page is drawn without. React's own lazy takes a script that did not come for an error of the whole page, for good;
// these ask again.

/** A part in its place: `waiting` until its script is here. One that did not come is asked for with the connection, too. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>, waiting: ReactNode = null) {
  let Loaded: ComponentType<P> | undefined
  const { begin } = late(async () => (Loaded = await load()))

  function Part(props: P) {
    const [isMissing, setMissing] = useState(false)
    const [, setHere] = useState(false)
    const ask = () =>
      begin().then((loaded) => {
        setHere(loaded !== undefined)
        setMissing(loaded === undefined)
      })
    const askAgain = useEffectEvent(ask)
    useEffect(() => {
      if (!Loaded) void askAgain()
    }, [])
    useEffect(() => {
      if (!isMissing) return
      const again = () => void askAgain()
      addEventListener('online', again)
      return () => removeEventListener('online', again)
    }, [isMissing])
    if (Loaded) return <Loaded {...props} />
    if (!isMissing) return waiting
    return (
      <div role="alert" className="row muted small">
        This part of the page didn’t load.
        <Button tone="quiet" onClick={() => void ask()}>
          Try again
        </Button>
      </div>
    )
  }
  return Object.assign(Part, { begin })
}

type DialogProps = { isOpen?: boolean; onClose: () => void }

/** A dialog whose script comes when it is opened; one that did not come says so, and the next press asks again. */
export function lazyDialog<P extends DialogProps>(load: () => Promise<ComponentType<P>>) {
  let Loaded: ComponentType<P> | undefined
  const { begin } = late(async () => (Loaded = await load()))

  function Dialog(props: P) {
    const { isOpen = true, onClose } = props
    const [, setHere] = useState(false)
    const giveUp = useEffectEvent(() => {
      onClose()
      const description = navigator.onLine
        ? 'We couldn’t open this. Please try again, or refresh the page.'
        : 'This opens when you’re back online.'
      toast({ title: 'Error', description, tone: 'bad' })
    })
    useEffect(() => {
      if (!isOpen || Loaded) return
      let isWanted = true
      void begin().then((loaded) => {
        if (!isWanted) return
        if (loaded) setHere(true)
        else giveUp()
      })
      return () => {
        isWanted = false
      }
    }, [isOpen])
    return Loaded ? <Loaded {...props} /> : null
  }
  return Object.assign(Dialog, { begin })
}
