import { useEffect, useEffectEvent } from 'react'
import { enterDialog } from './backEntries.client.ts'

/** Makes Back close a dialog instead of leaving the page. */
export function useBackCloses(isOpen: boolean, onClose: () => void) {
  const close = useEffectEvent(onClose)
  useEffect(() => (isOpen ? enterDialog(() => close()) : undefined), [isOpen])
}
