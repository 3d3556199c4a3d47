import { useState } from 'react'

/** A dialog whose script is loaded when it opens first; from then on it stays, so that it can be seen to close. */
export function useDialog() {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  return {
    isWanted: state !== 'never',
    open: () => setState('open'),
    /** For the dialog itself. */
    props: { isOpen: state === 'open', onClose: () => setState('closed') },
  }
}
export type DialogProps = ReturnType<typeof useDialog>['props']
