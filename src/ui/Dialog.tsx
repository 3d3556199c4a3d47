import { X } from 'lucide-react'
import * as Radix from 'radix-ui/dialog'
import { type FormEvent, type ReactNode, useRef } from 'react'
import { isolateRtl } from '../kit/bidi/isolate.rules.ts'
import { Button, type ButtonLook } from './Button.tsx'
import { useBackCloses } from './backEntries.client.ts'

type DialogProps = {
  isOpen: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  /** Runs after the dialog has closed and the focus has returned. */
  onClosed?: () => void
  /** DialogBody and DialogFoot, or a DialogForm. */
  children: ReactNode
}

/** A modal: a bottom sheet on phones, a centred card from 768 px. Escape, a press outside and Back close it. */
export function Dialog({ isOpen, onClose, title, description, onClosed, children }: DialogProps) {
  const opener = useRef<Element>(null)
  useBackCloses(isOpen, onClose)
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim">
          <Radix.Content
            className="dialog"
            // Radix returns the focus only to its own triggers, so this stores the element that had the focus
            onOpenAutoFocus={() => {
              opener.current = document.activeElement
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault()
              if (opener.current?.isConnected) (opener.current as HTMLElement).focus()
              onClosed?.()
            }}
            {...(!description && { 'aria-describedby': undefined })}
          >
            <span className="dialog__grab" aria-hidden />
            <header className="dialog__head">
              <div>
                <Radix.Title>{isolateRtl(title)}</Radix.Title>
                {description && (
                  <Radix.Description className="muted small">
                    {typeof description === 'string' ? isolateRtl(description) : description}
                  </Radix.Description>
                )}
              </div>
              <Radix.Close className="icon-btn" aria-label="Close">
                <X className="icon" aria-hidden />
              </Radix.Close>
            </header>
            {children}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

export const DialogBody = ({ children }: { children: ReactNode }) => <div className="dialog__body">{children}</div>

export const DialogFoot = ({ onCancel, children }: { onCancel?: () => void; children?: ReactNode }) => (
  <footer className="dialog__foot">
    {onCancel && (
      <Button tone="ghost" onClick={onCancel}>
        Cancel
      </Button>
    )}
    {children}
  </footer>
)

export type DialogFormProps = {
  label: string
  tone?: ButtonLook['tone']
  isBusy: boolean
  onSubmit: () => void
  onCancel: () => void
  noValidate?: boolean
  children: ReactNode
}

/** The body and foot of a dialog with a form. Ignores submits while busy. */
export function DialogForm({
  label,
  tone = 'primary',
  isBusy,
  onSubmit,
  onCancel,
  noValidate,
  children,
}: DialogFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy) onSubmit()
  }
  return (
    <form className="dialog__form" onSubmit={submit} noValidate={noValidate}>
      <DialogBody>{children}</DialogBody>
      <DialogFoot onCancel={onCancel}>
        <Button tone={tone} type="submit" isBusy={isBusy}>
          {label}
        </Button>
      </DialogFoot>
    </form>
  )
}
