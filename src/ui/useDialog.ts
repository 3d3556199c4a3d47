import { startTransition, useState } from 'react'

/** The state of a dialog whose script loads at its first opening. It stays mounted to animate its closing. */
export function useDialog() {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  return {
    isWanted: state !== 'never',
    /** Opens in a transition: the button shows the press first, because a phone needs 200 ms to draw a form. */
    open: () => startTransition(() => setState('open')),
    props: { isOpen: state === 'open', onClose: () => setState('closed') },
  }
}
export type DialogProps = ReturnType<typeof useDialog>['props']
