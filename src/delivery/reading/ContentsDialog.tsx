import type { ReactNode } from 'react'
import { Dialog, DialogBody } from '../../ui/Dialog.tsx'
import type { DialogProps } from '../../ui/useDialog.ts'

export const ContentsDialog = ({ children, ...dialog }: DialogProps & { children: ReactNode }) => (
  <Dialog {...dialog} title="Contents">
    <DialogBody>{children}</DialogBody>
  </Dialog>
)
