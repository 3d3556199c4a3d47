import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { useSavedForm } from '../../ui/form/useSavedForm.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import { ChangedElsewhere } from '../ChangedElsewhere.tsx'
import { type CustomerDetail, getCustomer, listCustomers, MAX_NOTE, saveNote } from './customers.contract.ts'

const TYPED_NAMES = { note: 'Note' }
const valuesOf = ({ note }: CustomerDetail) => ({ note })

type NoteProps = { customer: CustomerDetail; reload: () => Promise<CustomerDetail | null> }

export function CustomerNote({ customer, reload }: NoteProps) {
  const cache = useQueryClient()
  const { id } = customer
  const form = useSavedForm({
    saved: customer,
    valuesOf,
    save: ({ note }, { noteVersion }) => call(saveNote, { id, note: note.trim(), version: noteVersion }),
    onSaved: (saved) => {
      cache.setQueryData(
        keyOf(getCustomer, { id }),
        (known: CustomerDetail | undefined) => known && { ...known, ...saved },
      )
      void cache.invalidateQueries({ queryKey: keyOf(listCustomers, {}).slice(0, 1) })
      toast({ title: saved.note === '' ? 'Note deleted' : 'Note saved', tone: 'good' })
    },
    reload,
    failure: 'Failed to save the note. Please try again.',
    onFailure: toastFailure,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (form.isDirty) form.submit()
    else toast({ title: 'Nothing to save', description: 'You have not changed the note.' })
  }
  return (
    <form className="card stack" onSubmit={submit} noValidate>
      <ChangedElsewhere form={form} names={TYPED_NAMES} describe={(_, { note }) => note || 'No note'} />
      <Field label="Note" note="only you see it" error={form.errorOf('note')}>
        {(control) => <textarea className="input" rows={4} maxLength={MAX_NOTE} {...control} {...form.field('note')} />}
      </Field>
      <div className="row">
        <Button type="submit" isBusy={form.isBusy}>
          Save note
        </Button>
      </div>
    </form>
  )
}
