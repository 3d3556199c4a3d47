import { Dialog, DialogBody } from '../ui/Dialog.tsx'

/** Holds the place of the form until it is built. */
export const AddProductDialog = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => (
  <Dialog isOpen={isOpen} onClose={onClose} title="Add Product">
    <DialogBody>
      <p className="muted">The form is being built.</p>
    </DialogBody>
  </Dialog>
)
