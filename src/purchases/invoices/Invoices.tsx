import { FileText } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { useDialog } from '../../ui/useDialog.ts'

const InvoiceDialog = lazyDialog(() => import('./InvoiceDialog.tsx'), 'InvoiceDialog')

export function Invoices({ orderId }: { orderId: string }) {
  const dialog = useDialog()
  return (
    <>
      <Button tone="quiet" icon={<FileText className="icon" aria-hidden />} onClick={dialog.open}>
        Invoice
      </Button>
      {dialog.isWanted && <InvoiceDialog {...dialog.props} orderId={orderId} />}
    </>
  )
}
