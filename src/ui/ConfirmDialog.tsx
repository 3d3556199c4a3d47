import type { ReactNode } from 'react'
import { Button, type ButtonLook } from './Button.tsx'
import { Dialog, DialogBody, DialogFoot } from './Dialog.tsx'
import type { DialogProps } from './useDialog.ts'

type ConfirmDialogProps = DialogProps & {
  title: string
  label: string
  tone?: ButtonLook['tone']
  onConfirm: () => void
  children: ReactNode
}

export const ConfirmDialog = ({ label, tone = 'primary', onConfirm, children, ...dialog }: ConfirmDialogProps) => (
  <Dialog {...dialog}>
    <DialogBody>
      <p>{children}</p>
    </DialogBody>
    <DialogFoot onCancel={dialog.onClose}>
      <Button
        tone={tone}
        onClick={() => {
          dialog.onClose()
          onConfirm()
        }}
      >
        {label}
      </Button>
    </DialogFoot>
  </Dialog>
)
