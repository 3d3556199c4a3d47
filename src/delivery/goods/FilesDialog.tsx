import { FileList } from '../library/FileList.tsx'
import { Dialog, DialogBody } from '../../ui/Dialog.tsx'

type FilesDialogProps = { orderId: string; lineId: string; title: string; onClose: () => void; onRefused: () => void }

export const FilesDialog = ({ title, onClose, ...line }: FilesDialogProps) => (
  <Dialog isOpen onClose={onClose} title={title} description="To keep files on this device, open your library.">
    <DialogBody>
      <FileList owned={null} {...line} />
    </DialogBody>
  </Dialog>
)
