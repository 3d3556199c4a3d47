import { type FormEvent, useId, useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
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
  const [given, setGiven] = useState(details)
  const [isSaving, setSaving] = useState(false)
  const [isTried, setTried] = useState(false)
  const vatField = useId()
  const isWrong = !isVatId(given.vatId)
  const letters = unprinted(given.company, given.address)
  const change = (part: Partial<typeof given>) => setGiven((before) => ({ ...before, ...part }))

  async function send(event: FormEvent) {
    event.preventDefault()
    if (isSaving || isBusy) return
    setTried(true)
    if (isWrong) return document.getElementById(vatField)?.querySelector('input')?.focus()
    setSaving(true)
    try {
      await call(saveInvoiceDetails, given)
      await onSaved()
    } catch (error) {
      toastFailure(error, 'We couldn’t save your details. Please try again.')
    } finally {
      setSaving(false)
    }
  }

  return (
    <form className="stack gap-4" noValidate onSubmit={(event) => void send(event)}>
      <Field label="Company" note="optional">
        {(field) => (
          <input
            {...field}
            className="input"
            autoComplete="organization"
            maxLength={MAX_COMPANY}
            value={given.company}
            onChange={({ target }) => change({ company: target.value })}
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
            value={given.address}
            onChange={({ target }) => change({ address: target.value })}
          />
        )}
      </Field>
      <div id={vatField}>
        <Field
          label="VAT ID"
          note="optional"
          hint="We check its form only, not its registration."
          {...(isTried && isWrong && { error: 'That is not the form of a VAT ID, such as DE136695976.' })}
        >
          {(field) => (
            <input
              {...field}
              className="input"
              autoCapitalize="characters"
              maxLength={MAX_VAT_ID}
              value={given.vatId}
              onChange={({ target }) => change({ vatId: target.value })}
            />
          )}
        </Field>
      </div>
      <Switch
        label="Attach invoices to my emails"
        hint="To receipts and refunds from now on"
        isOn={given.isAttached}
        onChange={(isAttached) => change({ isAttached })}
      />
      {letters && (
        <p className="small" role="status">
          Our invoices can’t print “<bdi>{letters}</bdi>” and show question marks instead. Write these letters in
          another script, such as Latin.
        </p>
      )}
      <p className="muted small">{about}</p>
      <Button tone="primary" className="dialog__pinned" type="submit" isBusy={isSaving || isBusy}>
        {label}
      </Button>
    </form>
  )
}
