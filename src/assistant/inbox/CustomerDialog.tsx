import { Dialog, DialogBody } from '../../ui/Dialog.tsx'
import { CustomerPane } from './CustomerPane.tsx'
import { Notes } from './Notes.tsx'
import type { Thread } from './inbox.contract.ts'

type CustomerDialogProps = { isOpen: boolean; onClose: () => void; customer: Thread['customer'] }

export const CustomerDialog = ({ customer, ...dialog }: CustomerDialogProps) => (
  <Dialog {...dialog} title={customer.name} description={customer.email}>
    <DialogBody>
      <CustomerPane customer={customer} />
      <Notes userId={customer.userId} />
    </DialogBody>
  </Dialog>
)
