import { useState } from 'react'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { call } from '../kit/call.client.ts'
import { isConflict, reasonOf } from '../kit/failure.ts'
import { Dialog, DialogForm } from '../ui/Dialog.tsx'
import { Field } from '../ui/form/Field.tsx'
import { toast } from '../ui/toasts/toast.client.ts'
import type { DialogProps } from '../ui/useDialog.ts'
import { report } from './moderation.contract.ts'
import { MAX_WORDS } from './question.contract.ts'
import { ReasonField } from './ReasonField.tsx'
import { reasonsFor } from './reasons.rules.ts'

export function ReportDialog({ isOpen, onClose, ...thing }: DialogProps & { productId: string; reviewId?: string }) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={thing.reviewId ? 'Report this review' : 'Report this product'}
      description="A person will look at it. We don’t tell anyone who reported it."
    >
      <ReportForm key={thing.reviewId} {...thing} onClose={onClose} />
    </Dialog>
  )
}

type ReportFormProps = { productId: string; reviewId?: string; onClose: () => void }

function ReportForm({ productId, reviewId, onClose }: ReportFormProps) {
  const [reason, setReason] = useState('')
  const [note, setNote] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [isTried, setTried] = useState(false)

  async function send() {
    setTried(true)
    if (!reason) return document.querySelector<HTMLElement>('.dialog__form select')?.focus()
    setBusy(true)
    try {
      await call(report, { id: productId, ...(reviewId && { reviewId }), reason, note })
      toast({ title: 'Thank you', description: 'We’ll look at it and email you once we’ve decided.' })
      onClose()
    } catch (error) {
      toastFailure(error, reasonOf(error, isConflict) ?? 'Failed to send your report. Please try again.')
    } finally {
      setBusy(false)
    }
  }
  return (
    <DialogForm noValidate label="Send report" isBusy={isBusy} onSubmit={() => void send()} onCancel={onClose}>
      <ReasonField
        reasons={reasonsFor(reviewId !== undefined)}
        label="What is wrong?"
        value={reason}
        onChange={setReason}
        isMissing={isTried && !reason}
      />
      <Field label="What should we know?" note="optional">
        {(field) => (
          <textarea
            {...field}
            className="input"
            maxLength={MAX_WORDS}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        )}
      </Field>
    </DialogForm>
  )
}
