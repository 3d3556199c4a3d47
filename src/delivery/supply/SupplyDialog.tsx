import { useState } from 'react'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Problem } from '../../ui/Problem.tsx'
import type { Supply } from './supply.contract.ts'

const ID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/

export type WantedSupply = { id: string; sku: string; minutes: number }

type SupplyDialogProps = {
  isOpen: boolean
  onClose: () => void
  supply: Supply | null
  usualMinutes: number
  isBusy: boolean
  problem: string | undefined
  onSave: (wanted: WantedSupply) => void
}

export function SupplyDialog({ isOpen, onClose, supply, ...form }: SupplyDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={supply ? `Edit ${supply.title}` : 'Connect a product'}>
      <SupplyForm key={supply?.productId} supply={supply} onClose={onClose} {...form} />
    </Dialog>
  )
}

function SupplyForm({ onClose, supply, usualMinutes, isBusy, problem, onSave }: Omit<SupplyDialogProps, 'isOpen'>) {
  const [address, setAddress] = useState('')
  const [sku, setSku] = useState(supply?.sku ?? '')
  const [minutes, setMinutes] = useState(String(supply?.minutes ?? usualMinutes))
  const [isTried, setTried] = useState(false)
  const id = supply?.productId ?? ID.exec(address)?.[0]
  const wrong = {
    address: id ? null : 'Enter the address of the product’s page',
    sku: sku.trim() ? null : 'Enter the supplier’s name of the product',
    minutes: /^\d{1,4}$/.test(minutes) && +minutes >= 1 && +minutes <= 1440 ? null : 'Enter 1 to 1440 minutes',
  }
  const errorOf = (field: keyof typeof wrong) => isTried && wrong[field] && { error: wrong[field] }
  return (
    <DialogForm
      noValidate
      label={supply ? 'Save' : 'Connect'}
      isBusy={isBusy}
      onSubmit={() => {
        setTried(true)
        if (id && !wrong.sku && !wrong.minutes) onSave({ id, sku: sku.trim(), minutes: +minutes })
        else requestAnimationFrame(() => document.querySelector<HTMLElement>('.dialog__form [aria-invalid]')?.focus())
      }}
      onCancel={onClose}
    >
      {!supply && (
        <Field label="Product" hint="The address of its page" {...errorOf('address')}>
          {(field) => (
            <input
              {...field}
              className="input"
              maxLength={500}
              value={address}
              onChange={({ target }) => setAddress(target.value)}
            />
          )}
        </Field>
      )}
      <Field label="The supplier’s name of it" hint="SKU" {...errorOf('sku')}>
        {(field) => (
          <input
            {...field}
            className="input"
            maxLength={100}
            value={sku}
            onChange={({ target }) => setSku(target.value)}
          />
        )}
      </Field>
      <Field label="Minutes" hint="So long the shop asks. Then it returns the money." {...errorOf('minutes')}>
        {(field) => (
          <input
            {...field}
            className="input"
            inputMode="numeric"
            maxLength={4}
            value={minutes}
            onChange={({ target }) => setMinutes(target.value)}
          />
        )}
      </Field>
      <Problem>{problem}</Problem>
    </DialogForm>
  )
}
