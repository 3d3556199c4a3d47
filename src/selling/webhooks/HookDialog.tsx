import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { query } from '../../kit/query/query.client.ts'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.client.ts'
import { Dialog, DialogBody, DialogFoot, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import type { DialogProps } from '../../ui/useDialog.ts'
import {
  addHook,
  changeHook,
  EVENTS,
  type Hook,
  type HookEvent,
  listHooks,
  renewSecret,
} from '../../notifications/hooks/hooks.contract.ts'

type HookDialogProps = DialogProps & { /** Null for a new one. */ hook: Hook | null }

export function HookDialog({ isOpen, onClose, hook }: HookDialogProps) {
  const [secret, setSecret] = useState<string | null>(null)
  const close = () => {
    setSecret(null)
    onClose()
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={secret ? 'Your signing secret' : hook ? 'Edit the address' : 'Add an address'}
      description={secret ? 'We show it only now. Keep it on your server.' : 'https only, on a public server.'}
    >
      {secret ? (
        <>
          <DialogBody>
            <code className="wrap-anywhere">{secret}</code>
          </DialogBody>
          <DialogFoot>
            <Button icon={<Copy className="icon" aria-hidden />} onClick={() => void copyText(secret, 'The secret')}>
              Copy
            </Button>
            <Button tone="primary" onClick={close}>
              Done
            </Button>
          </DialogFoot>
        </>
      ) : (
        <HookForm hook={hook} onClose={close} onSecret={setSecret} />
      )}
    </Dialog>
  )
}

const names = Object.keys(EVENTS) as HookEvent[]

type HookFormProps = { hook: Hook | null; onClose: () => void; onSecret: (secret: string) => void }

function HookForm({ hook, onClose, onSecret }: HookFormProps) {
  const { user } = useSession()
  const cache = useQueryClient()
  const [url, setUrl] = useState(hook?.url ?? 'https://')
  const [events, setEvents] = useState(() => names.filter((name) => hook?.events.includes(name) ?? true))
  const [isForShop, setForShop] = useState(hook?.isForShop ?? false)
  const [isEnabled, setEnabled] = useState(hook?.state !== 'disabled')
  const [isTried, setTried] = useState(false)
  const refresh = () => cache.invalidateQueries({ queryKey: query(listHooks, {}).queryKey })
  const save = useMutation({
    mutationFn: async () => {
      if (hook) await call(changeHook, { id: hook.id, url, events, isEnabled })
      else return (await call(addHook, { url, events, isForShop })).secret
    },
    onSuccess: (secret) => (secret ? onSecret(secret) : onClose()),
    onSettled: refresh,
  })
  const renew = useMutation({
    mutationFn: () => call(renewSecret, { id: hook!.id }),
    onSuccess: ({ secret }) => onSecret(secret),
    onError: (error) => toastFailure(error, 'We couldn’t replace the secret. Please try again.'),
  })
  const refused =
    save.error && (reasonOf(save.error, isRefusal)?.replace(/^url: /, '') ?? 'That didn’t work. Please try again.')
  const error = isTried && !URL.canParse(url) ? 'Enter an address, like https://example.com/hooks' : refused
  return (
    <DialogForm
      noValidate
      label={hook ? 'Save' : 'Add'}
      isBusy={save.isPending}
      onCancel={onClose}
      onSubmit={() => {
        setTried(true)
        if (URL.canParse(url) && events.length > 0) save.mutate()
        else document.querySelector<HTMLElement>('.dialog__form :is(input:not(:checked))')?.focus()
      }}
    >
      <Field label="Address" {...(error && { error })}>
        {(field) => (
          <input
            {...field}
            className="input"
            type="url"
            inputMode="url"
            autoComplete="off"
            maxLength={1000}
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
        )}
      </Field>
      <fieldset className="stack gap-2">
        <legend>Events</legend>
        {names.map((name) => (
          <label key={name} className="check wrap-anywhere">
            <input
              type="checkbox"
              checked={events.includes(name)}
              onChange={({ target }) =>
                setEvents((chosen) => (target.checked ? [...chosen, name] : chosen.filter((one) => one !== name)))
              }
            />
            <span>
              <code>{name}</code> {EVENTS[name]}
            </span>
          </label>
        ))}
        {isTried && events.length === 0 && <p className="field__error">Choose an event.</p>}
      </fieldset>
      {!hook && user?.isAdmin && (
        <Switch
          label="Events of all sellers"
          hint="Otherwise of your own products."
          isOn={isForShop}
          onChange={setForShop}
        />
      )}
      {hook && (
        <>
          <Switch label="Send events" hint="While it is off, nothing is kept." isOn={isEnabled} onChange={setEnabled} />
          <div className="row row--between">
            <p className="small muted grow">The former secret signs too for 24 hours.</p>
            <Button isBusy={renew.isPending} onClick={() => renew.mutate()}>
              Replace the secret
            </Button>
          </div>
        </>
      )}
    </DialogForm>
  )
}
