import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { useSavedForm } from '../../ui/form/useSavedForm.ts'
import { Switch } from '../../ui/form/Switch.tsx'
import { type InvoiceSheet, MAX_ADDRESS, MAX_COMPANY, MAX_VAT_ID, saveInvoiceDetails } from './invoices.contract.ts'
import { unprinted } from './printed.rules.ts'
import { isVatId } from './vatId.rules.ts'

type DetailsFormProps = {
  details: InvoiceSheet['details']
  label: string
  about: string
  isBusy: boolean
  onSaved: () => Promise<void>
}

export function DetailsForm({ details, label, about, isBusy, onSaved }: DetailsFormProps) {
  const form = useSavedForm({
    saved: details,
    valuesOf: (saved) => saved,
    problemsOf: ({ vatId }) =>
      isVatId(vatId) ? {} : { vatId: 'That is not the form of a VAT ID, such as DE136695976.' },
    save: async (given) => {
      await call(saveInvoiceDetails, given)
      await onSaved()
    },
    failure: 'We couldn’t save your details. Please try again.',
    onFailure: toastFailure,
  })
  const { company, address, isAttached } = form.values
  const letters = unprinted(company, address)

  return (
    <form className="stack gap-4" noValidate onSubmit={form.submit}>
      <Field label="Company" note="optional">
        {(field) => (
          <input
            {...field}
            className="input"
            autoComplete="organization"
            maxLength={MAX_COMPANY}
            {...form.field('company')}
          />
        )}
      </Field>
      <Field label="Address" note="optional">
        {(field) => (
          <textarea
            {...field}
            className="input"
            autoComplete="street-address"
            maxLength={MAX_ADDRESS}
            {...form.field('address')}
          />
        )}
      </Field>
      <Field
        label="VAT ID"
        note="optional"
        hint="We check its form only, not its registration."
        error={form.errorOf('vatId')}
      >
        {(field) => (
          <input
            {...field}
            className="input"
            autoCapitalize="characters"
            maxLength={MAX_VAT_ID}
            {...form.field('vatId')}
          />
        )}
      </Field>
      <Switch
        label="Attach invoices to my emails"
        hint="To receipts and refunds from now on"
        isOn={isAttached}
        onChange={(isOn) => form.put({ isAttached: isOn })}
      />
      {letters && (
        <p className="small" role="status">
          Our invoices can’t print “<bdi>{letters}</bdi>” and show question marks instead. Write these letters in
          another script, such as Latin.
        </p>
      )}
      <p className="muted small">{about}</p>
      <Button tone="primary" className="dialog__pinned" type="submit" isBusy={form.isBusy || isBusy}>
        {label}
      </Button>
    </form>
  )
}
