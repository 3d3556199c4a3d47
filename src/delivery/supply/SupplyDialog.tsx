import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { useSavedForm } from '../../ui/form/useSavedForm.ts'
import { Problem } from '../../ui/Problem.tsx'
import type { Supply } from './supply.contract.ts'

const ID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/

export type WantedSupply = { id: string; sku: string; minutes: number }

type SupplyDialogProps = {
  isOpen: boolean
  onClose: () => void
  supply: Supply | null
  usualMinutes: number
  onSave: (wanted: WantedSupply) => Promise<unknown>
}

export function SupplyDialog({ isOpen, onClose, supply, ...form }: SupplyDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={supply ? `Edit ${supply.title}` : 'Connect a product'}>
      <SupplyForm key={supply?.productId} supply={supply} onClose={onClose} {...form} />
    </Dialog>
  )
}

function SupplyForm({ onClose, supply, usualMinutes, onSave }: Omit<SupplyDialogProps, 'isOpen'>) {
  const idOf = (address: string) => supply?.productId ?? ID.exec(address)?.[0]
  const form = useSavedForm({
    saved: supply,
    valuesOf: (saved) => ({ address: '', sku: saved?.sku ?? '', minutes: String(saved?.minutes ?? usualMinutes) }),
    problemsOf: ({ address, sku, minutes }) => ({
      ...(!idOf(address) && { address: 'Enter the address of the product’s page' }),
      ...(!sku.trim() && { sku: 'Enter the supplier’s name of the product' }),
      ...(!(/^\d{1,4}$/.test(minutes) && +minutes >= 1 && +minutes <= 1440) && { minutes: 'Enter 1 to 1440 minutes' }),
    }),
    save: ({ address, sku, minutes }) => onSave({ id: idOf(address) ?? '', sku: sku.trim(), minutes: +minutes }),
    onSaved: onClose,
    failure: 'We couldn’t save it. Please try again.',
  })
  return (
    <DialogForm
      noValidate
      label={supply ? 'Save' : 'Connect'}
      isBusy={form.isBusy}
      onSubmit={form.submit}
      onCancel={onClose}
    >
      {!supply && (
        <Field label="Product" hint="The address of its page" error={form.errorOf('address')}>
          {(control) => <input {...control} {...form.field('address')} className="input" maxLength={500} />}
        </Field>
      )}
      <Field label="The supplier’s name of it" hint="SKU" error={form.errorOf('sku')}>
        {(control) => <input {...control} {...form.field('sku')} className="input" maxLength={100} />}
      </Field>
      <Field label="Minutes" hint="So long the shop asks. Then it returns the money." error={form.errorOf('minutes')}>
        {(control) => (
          <input {...control} {...form.field('minutes')} className="input" inputMode="numeric" maxLength={4} />
        )}
      </Field>
      <Problem>{form.problem}</Problem>
    </DialogForm>
  )
}
