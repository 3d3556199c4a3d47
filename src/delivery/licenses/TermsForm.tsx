import { type FormEvent, useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { type LicenseSettings, saveLicenseTerms } from './soldLicenses.contract.ts'
import { problemsOf, readTerms, type TypedTerms, typedOf } from './terms.rules.ts'

type TermsFormProps = { productId: string; settings: LicenseSettings; onSaved: (settings: LicenseSettings) => void }

export function TermsForm({ productId, settings, onSaved }: TermsFormProps) {
  const [typed, setTyped] = useState(() => typedOf(settings))
  const [isBusy, setBusy] = useState(false)
  const [isTried, setTried] = useState(false)
  const found = problemsOf(typed)
  const problems = isTried ? found : {}
  const put = (change: Partial<TypedTerms>) => setTyped((now) => ({ ...now, ...change }))

  async function save(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (Object.keys(found).length > 0 || isBusy) return
    setBusy(true)
    try {
      onSaved(await call(saveLicenseTerms, { id: productId, ...readTerms(typed) }))
      toast({ title: 'Terms saved', tone: 'good' })
    } catch (error) {
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t save the terms. Please try again.')
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className="stack gap-4" noValidate onSubmit={(event) => void save(event)}>
      <Field label="Prefix" hint="The first letters of each key." {...(problems.prefix && { error: problems.prefix })}>
        {(control) => (
          <input
            className="input mono"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={8}
            value={typed.prefix}
            onChange={({ target }) => put({ prefix: target.value.toUpperCase() })}
            {...control}
          />
        )}
      </Field>
      <div className="formgrid">
        <Field
          label="Devices for each seat"
          hint="Buyers can remove a device and use another."
          {...(problems.devices && { error: problems.devices })}
        >
          {(control) => (
            <input
              className="input num"
              inputMode="numeric"
              autoComplete="off"
              maxLength={3}
              value={typed.devices}
              onChange={({ target }) => put({ devices: target.value })}
              {...control}
            />
          )}
        </Field>
        <Field
          label="Days until a key expires"
          note="optional"
          hint="Counted from the purchase. Empty: never."
          {...(problems.days && { error: problems.days })}
        >
          {(control) => (
            <input
              className="input num"
              inputMode="numeric"
              autoComplete="off"
              maxLength={4}
              value={typed.days}
              onChange={({ target }) => put({ days: target.value })}
              {...control}
            />
          )}
        </Field>
      </div>
      <Button tone="soft" type="submit" className="self-start" isBusy={isBusy}>
        Save terms
      </Button>
    </form>
  )
}
