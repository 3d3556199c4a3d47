import { type FormEvent, useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { addDevice, type OwnedLicense } from './ownedLicense.contract.ts'

type DeviceFormProps = {
  line: { id: string; lineId: string }
  onCancel: () => void
  onAdded: (license: OwnedLicense) => void
}

const MIN_LENGTH = 8

/** Activates a key for a device without internet: its owner copies the code that the software shows there. */
export function DeviceForm({ line, onCancel, onAdded }: DeviceFormProps) {
  const [name, setName] = useState('')
  const [code, setCode] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [isTried, setTried] = useState(false)
  const fingerprint = code.trim()
  const problem =
    fingerprint.length < MIN_LENGTH || /\s/.test(fingerprint) ? 'Copy the code as the software shows it.' : null

  async function add(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (problem || isBusy) return
    setBusy(true)
    try {
      onAdded(await call(addDevice, { ...line, fingerprint, name: name.trim() }))
    } catch (error) {
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t add the device. Please try again.')
      setBusy(false)
    }
  }
  return (
    <form className="stack gap-4" noValidate onSubmit={(event) => void add(event)}>
      <Field label="Name" note="optional">
        {(control) => (
          <input
            className="input"
            autoComplete="off"
            maxLength={100}
            value={name}
            onChange={({ target }) => setName(target.value)}
            {...control}
          />
        )}
      </Field>
      <Field
        label="Device code"
        hint="The software on that device shows it."
        {...(isTried && problem && { error: problem })}
      >
        {(control) => (
          <input
            className="input mono"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={200}
            value={code}
            onChange={({ target }) => setCode(target.value)}
            {...control}
          />
        )}
      </Field>
      <div className="row">
        <Button tone="primary" type="submit" isBusy={isBusy}>
          Add device
        </Button>
        <Button tone="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
