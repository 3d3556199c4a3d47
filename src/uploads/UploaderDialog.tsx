import { Dialog, DialogBody } from '../ui/Dialog.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { type Uploaded, type UploadUse, TITLES } from './uploader.rules.ts'

const Uploader = lazyPart(() => import('./Uploader.tsx'), 'Uploader', <Skeleton className="uploader-skeleton" />)
export const loadUploader = Uploader.preload

type UploaderDialogProps = {
  use: UploadUse
  most?: number
  title?: string
  isOpen: boolean
  onClose: () => void
  onUploaded: (upload: Uploaded) => void
}

export function UploaderDialog({
  use,
  most = 1,
  title = TITLES[use],
  isOpen,
  onClose,
  onUploaded,
}: UploaderDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <DialogBody>
        <Uploader use={use} most={most} title={title} onUploaded={onUploaded} onDone={onClose} />
      </DialogBody>
    </Dialog>
  )
}
