import { useMutation } from '@tanstack/react-query'
import { call } from '../kit/call.client.ts'
import { startDownload } from '../kit/download/startDownload.client.ts'
import { Problem } from '../ui/Problem.tsx'
import { Dialog, DialogForm } from '../ui/Dialog.tsx'
import { requestExport } from './data/export.contract.ts'
import { problemOf } from './useAccount.ts'
import type { DialogProps } from '../ui/useDialog.ts'

export function ExportDialog(dialog: DialogProps) {
  const ask = useMutation({
    mutationFn: () => call(requestExport, {}),
    onSuccess: ({ url }) => {
      startDownload(url)
      dialog.onClose()
    },
  })
  const problem = problemOf(ask.error, 'We couldn’t prepare your data. Please try again.')
  return (
    <Dialog
      {...dialog}
      title="Download My Data"
      description="One ZIP file with everything we store about your account."
    >
      <DialogForm label="Download" isBusy={ask.isPending} onSubmit={() => ask.mutate()} onCancel={dialog.onClose}>
        <p>
          Your profile, devices, orders, reviews, chats, and lists as JSON, with a list of what you bought. The files,
          codes, and keys themselves aren’t included. You’ll find those in your library.
        </p>
        <p className="muted small">Keep it safe. Anyone who has the file can read all of it.</p>
        <Problem>{problem?.message}</Problem>
      </DialogForm>
    </Dialog>
  )
}
