import { startTransition, useState } from 'react'

/** A dialog whose script is loaded when it opens first; from then on it stays, so that it can be seen to close. */
export function useDialog() {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  return {
    isWanted: state !== 'never',
    /** The button shows the press first, because a phone needs a fifth of a second to draw a form. */
    open: () => startTransition(() => setState('open')),
    props: { isOpen: state === 'open', onClose: () => setState('closed') },
  }
}
export type DialogProps = ReturnType<typeof useDialog>['props']
