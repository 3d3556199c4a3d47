import { Dialog, DialogBody } from '../../ui/Dialog.tsx'
import { AboutCustomer } from './AboutCustomer.tsx'
import type { Thread } from './inbox.contract.ts'

type CustomerDialogProps = { isOpen: boolean; onClose: () => void; thread: Thread }

export const CustomerDialog = ({ thread, ...dialog }: CustomerDialogProps) => (
  <Dialog {...dialog} title={thread.customer.name} description={thread.customer.email}>
    <DialogBody>
      <AboutCustomer thread={thread} />
    </DialogBody>
  </Dialog>
)
