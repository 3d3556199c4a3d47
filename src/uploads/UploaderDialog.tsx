import { Dialog, DialogBody } from '../ui/Dialog.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { type Uploaded, type UploadKind, TITLES } from './uploader.rules.ts'

const Uploader = lazyPart(() => import('./Uploader.tsx'), 'Uploader', <Skeleton className="uploader-skeleton" />)
export const loadUploader = Uploader.preload

type UploaderDialogProps = {
  kind: UploadKind
  /** Replaces the title of a product upload. */
  title?: string
  isOpen: boolean
  onClose: () => void
  onUploaded: (upload: Uploaded) => void
}

/** A dialog that takes one image or one file. It stays open after the upload, until Done or Close. */
export function UploaderDialog({ kind, title = TITLES[kind], isOpen, onClose, onUploaded }: UploaderDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <DialogBody>
        <Uploader kind={kind} title={title} onUploaded={onUploaded} onDone={onClose} />
      </DialogBody>
    </Dialog>
  )
}
