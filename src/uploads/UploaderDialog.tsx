import { useEffect, useEffectEvent, useState } from 'react'
import { Dialog, DialogBody } from '../ui/Dialog.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { type Uploaded, type UploadKind, TITLES } from './uploader.rules.ts'

const Uploader = lazyPart(() => import('./Uploader.tsx'), 'Uploader', <Skeleton className="uploader-skeleton" />)
export const loadUploader = Uploader.preload

// long enough to show that the upload is complete
const SHOWN_MS = 900

type UploaderDialogProps = {
  kind: UploadKind
  /** Replaces the title of a product upload. */
  title?: string
  isOpen: boolean
  onClose: () => void
  onUploaded: (upload: Uploaded) => void
}

/** A dialog that takes one image or one file. It closes soon after the upload is complete. */
export function UploaderDialog({ kind, title = TITLES[kind], isOpen, onClose, onUploaded }: UploaderDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <DialogBody>
        <UntilUploaded kind={kind} title={title} onClose={onClose} onUploaded={onUploaded} />
      </DialogBody>
    </Dialog>
  )
}

function UntilUploaded({ kind, title, onClose, onUploaded }: Required<Omit<UploaderDialogProps, 'isOpen'>>) {
  const [isDone, setIsDone] = useState(false)
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => close(), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isDone])
  const finish = (upload: Uploaded) => {
    onUploaded(upload)
    setIsDone(true)
  }
  return <Uploader kind={kind} title={title} onUploaded={finish} onDone={onClose} />
}
