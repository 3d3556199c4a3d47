import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { useSavedForm } from '../../ui/form/useSavedForm.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import { type LicenseSettings, saveLicenseTerms } from './soldLicenses.contract.ts'
import { problemsOf, readTerms, typedOf } from './terms.rules.ts'

type TermsFormProps = { productId: string; settings: LicenseSettings; onSaved: (settings: LicenseSettings) => void }

export function TermsForm({ productId, settings, onSaved }: TermsFormProps) {
  const form = useSavedForm({
    saved: settings,
    valuesOf: typedOf,
    problemsOf,
    save: async (typed) => {
      onSaved(await call(saveLicenseTerms, { id: productId, ...readTerms(typed) }))
      toast({ title: 'Terms saved', tone: 'good' })
    },
    failure: 'We couldn’t save the terms. Please try again.',
    onFailure: toastFailure,
  })
  return (
    <form className="stack gap-4" noValidate onSubmit={form.submit}>
      <Field label="Prefix" hint="The first letters of each key." error={form.errorOf('prefix')}>
        {(control) => (
          <input
            className="input mono"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={8}
            {...control}
            {...form.field('prefix', { onChange: ({ target }) => form.put({ prefix: target.value.toUpperCase() }) })}
          />
        )}
      </Field>
      <div className="formgrid">
        <Field
          label="Devices for each seat"
          hint="Buyers can remove a device and use another."
          error={form.errorOf('devices')}
        >
          {(control) => (
            <input
              className="input num"
              inputMode="numeric"
              autoComplete="off"
              maxLength={3}
              {...control}
              {...form.field('devices')}
            />
          )}
        </Field>
        <Field
          label="Days until a key expires"
          note="optional"
          hint="Counted from the purchase. Empty: never."
          error={form.errorOf('days')}
        >
          {(control) => (
            <input
              className="input num"
              inputMode="numeric"
              autoComplete="off"
              maxLength={4}
              {...control}
              {...form.field('days')}
            />
          )}
        </Field>
      </div>
      <Button tone="soft" type="submit" className="self-start" isBusy={form.isBusy}>
        Save terms
      </Button>
    </form>
  )
}
