import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Stepper } from '../../ui/form/Stepper.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { DialogProps } from '../../ui/useDialog.ts'
import { extendLicense, MAX_DEVICES } from './soldLicenses.contract.ts'

type Key = { id: string; masked: string; devicesPerSeat: number; expiresAt: string | null }
type ExtendDialogProps = DialogProps & { productId: string; license: Key; refresh: () => Promise<unknown> }

/** Lets a key that was sold work longer and on more devices. */
export function ExtendDialog({ isOpen, onClose, productId, license, refresh }: ExtendDialogProps) {
  const { id, masked, expiresAt } = license
  const first = expiresAt?.slice(0, 10) ?? ''
  const [until, setUntil] = useState(first)
  const [devicesPerSeat, setDevices] = useState(license.devicesPerSeat)
  const extend = useMutation({
    mutationFn: () => call(extendLicense, { id: productId, licenseId: id, until: until || null, devicesPerSeat }),
    onSuccess: () => {
      toast({ title: 'Key extended', description: 'The buyer gets a mail.', tone: 'good' })
      onClose()
    },
    onSettled: () => refresh().catch(() => undefined),
  })
  const refused = extend.error && (reasonOf(extend.error, isRefusal) ?? 'That didn’t work. Please try again.')
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Extend this key" description={masked}>
      <DialogForm
        noValidate
        label="Extend"
        isBusy={extend.isPending}
        onCancel={onClose}
        onSubmit={() => extend.mutate()}
      >
        {expiresAt === null ? (
          <p className="muted small">This key has no end.</p>
        ) : (
          <Field label="Works until" hint="Leave it empty for a key without an end">
            {(field) => (
              <input
                {...field}
                className="input"
                type="date"
                min={first}
                value={until}
                onChange={({ target }) => setUntil(target.value)}
              />
            )}
          </Field>
        )}
        <div className="row row--between">
          <span>Devices for each copy</span>
          <Stepper
            label="Devices for each copy"
            value={devicesPerSeat}
            min={license.devicesPerSeat}
            max={MAX_DEVICES}
            onChange={setDevices}
          />
        </div>
        <Problem>{refused ?? undefined}</Problem>
      </DialogForm>
    </Dialog>
  )
}
