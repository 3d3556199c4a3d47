import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.client.ts'
import { Dialog, DialogBody, DialogFoot, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { useSavedForm } from '../../ui/form/useSavedForm.ts'
import { Switch } from '../../ui/form/Switch.tsx'
import type { DialogProps } from '../../ui/useDialog.ts'
import { addHook, changeHook, type Hook, listHooks, renewSecret } from '../../notifications/hooks/hooks.contract.ts'
import { EventChoice } from './EventChoice.tsx'
import { EVENT_NAMES } from './eventGroups.rules.ts'

type HookDialogProps = DialogProps & { /** Null for a new webhook. */ hook: Hook | null }

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

type HookFormProps = { hook: Hook | null; onClose: () => void; onSecret: (secret: string) => void }

const valuesOf = (hook: Hook | null) => ({
  url: hook?.url ?? 'https://',
  events: EVENT_NAMES.filter((name) => hook?.events.includes(name) ?? true),
  isForShop: hook?.isForShop ?? false,
  isEnabled: hook?.state !== 'disabled',
})

function HookForm({ hook, onClose, onSecret }: HookFormProps) {
  const { user } = useSession()
  const cache = useQueryClient()
  const form = useSavedForm({
    saved: hook,
    valuesOf,
    problemsOf: ({ url, events }) => ({
      ...(!URL.canParse(url) && { url: 'Enter an address, like https://example.com/hooks' }),
      ...(events.length === 0 && { events: 'Choose an event.' }),
    }),
    save: async ({ url, events, isForShop, isEnabled }) => {
      try {
        if (hook) await call(changeHook, { id: hook.id, url, events, isEnabled })
        else onSecret((await call(addHook, { url, events, isForShop })).secret)
      } finally {
        void cache.invalidateQueries({ queryKey: query(listHooks, {}).queryKey })
      }
    },
    onSaved: () => hook && onClose(),
    failure: 'That didn’t work. Please try again.',
    refusedAt: 'url',
  })
  const { events, isForShop, isEnabled } = form.values
  const renew = useMutation({
    mutationFn: () => call(renewSecret, { id: hook!.id }),
    onSuccess: ({ secret }) => onSecret(secret),
    onError: (error) => toastFailure(error, 'We couldn’t replace the secret. Please try again.'),
  })
  return (
    <DialogForm noValidate label={hook ? 'Save' : 'Add'} isBusy={form.isBusy} onCancel={onClose} onSubmit={form.submit}>
      <Field label="Address" error={form.errorOf('url')}>
        {(control) => (
          <input
            {...control}
            {...form.field('url')}
            className="input"
            type="url"
            inputMode="url"
            autoComplete="off"
            maxLength={1000}
          />
        )}
      </Field>
      <EventChoice
        chosen={events}
        error={form.errorOf('events')}
        firstRef={form.refOf('events')}
        onChange={(chosen) => form.put({ events: chosen })}
      />
      {!hook && user?.isAdmin && (
        <Switch
          label="Events of all sellers"
          hint="Otherwise of your own products."
          isOn={isForShop}
          onChange={(isOn) => form.put({ isForShop: isOn })}
        />
      )}
      {hook && (
        <>
          <Switch
            label="Send events"
            hint="While it is off, nothing is kept."
            isOn={isEnabled}
            onChange={(isOn) => form.put({ isEnabled: isOn })}
          />
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
