import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  MAX_KEY_NAME_LENGTH,
  type Passkey,
  removePasskey,
  renamePasskey,
} from '../../identity/passkeys/passkey.contract.ts'
import { canUsePasskeys, type KeyOptionsText, makeKey } from '../../identity/passkeys/webauthn.client.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { getCurrentUser } from '../../identity/identity.contract.ts'
import { call } from '../../kit/call.client.ts'
import { keyOf, query } from '../../kit/query/query.client.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { Field } from '../../ui/form/Field.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { deviceName, passkeyProblem } from './passkeys.rules.ts'
import type { DialogProps } from '../../ui/useDialog.ts'

export const PasskeysDialog = (dialog: DialogProps) => (
  <Dialog
    {...dialog}
    title="Passkeys"
    description="Sign in with your fingerprint, face, or screen lock. No password or code needed."
  >
    <Keys onClose={dialog.onClose} />
  </Dialog>
)

function Keys({ onClose }: Pick<DialogProps, 'onClose'>) {
  const { keys, add, rename, remove } = usePasskeys()
  const canAdd = canUsePasskeys()
  const problem = passkeyProblem(add.error)
  const make = () =>
    add.mutate(deviceName(navigator.userAgent), {
      onSuccess: () => toast({ title: 'Passkey added', description: 'You can now use it to sign in.' }),
    })
  return (
    <>
      <DialogBody>
        {keys.data ? (
          keys.data.length > 0 ? (
            <ul className="list">
              {keys.data.map((key) => (
                <PasskeyRow key={key.id} passkey={key} rename={rename} remove={remove} />
              ))}
            </ul>
          ) : (
            <p>You don’t have any passkeys yet.</p>
          )
        ) : keys.isError ? (
          <ErrorState title="Couldn’t load the passkeys" onRetry={keys.refetch} />
        ) : (
          <Skeleton height="5rem" />
        )}
        {!canAdd && <p className="muted small">This browser doesn’t support passkeys.</p>}
        <Problem>{problem}</Problem>
      </DialogBody>
      <DialogFoot>
        <Button tone="ghost" onClick={onClose}>
          Close
        </Button>
        {canAdd && (
          <Button tone="primary" isBusy={add.isPending} onClick={make}>
            Add a passkey
          </Button>
        )}
      </DialogFoot>
    </>
  )
}

type PasskeyRowProps = { passkey: Passkey } & Pick<ReturnType<typeof usePasskeys>, 'rename' | 'remove'>

function PasskeyRow({ passkey, rename, remove }: PasskeyRowProps) {
  const { id, name, createdAt, lastUsedAt } = passkey
  const [act, setAct] = useState<'rename' | 'remove'>()
  if (act === 'rename') return <Rename passkey={passkey} rename={rename} onDone={() => setAct(undefined)} />
  return (
    <li className={act ? 'list__row row--wrap' : 'list__row'}>
      <div className="grow">
        <strong>{name}</strong>
        <small>
          Added {formatDay(createdAt)} · {lastUsedAt ? `Last used ${formatDay(lastUsedAt)}` : 'Not used yet'}
        </small>
      </div>
      {act === 'remove' ? (
        <div className="row gap-2">
          <Button tone="ghost" onClick={() => setAct(undefined)}>
            Keep
          </Button>
          <Button
            tone="bad"
            isBusy={remove.isPending}
            onClick={() =>
              remove.mutate(id, {
                onError: (error) => toastFailure(error, 'We couldn’t remove the passkey. Please try again.'),
              })
            }
          >
            Remove
          </Button>
        </div>
      ) : (
        <>
          <IconButton
            label={`Rename ${name}`}
            icon={<Pencil className="icon" aria-hidden />}
            onClick={() => setAct('rename')}
          />
          <IconButton
            label={`Remove ${name}`}
            icon={<Trash2 className="icon" aria-hidden />}
            onClick={() => setAct('remove')}
          />
        </>
      )}
    </li>
  )
}

function Rename({ passkey, rename, onDone }: Omit<PasskeyRowProps, 'remove'> & { onDone: () => void }) {
  const { id, name } = passkey
  const [typed, setTyped] = useState(name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!typed.trim() || rename.isPending) return
    rename.mutate(
      { id, name: typed.trim() },
      {
        onSuccess: onDone,
        onError: (error) => toastFailure(error, 'We couldn’t rename the passkey. Please try again.'),
      },
    )
  }
  return (
    <li className="list__row">
      <form className="stack gap-2 grow" onSubmit={submit}>
        <Field label="Passkey name">
          {(field) => (
            <input
              {...field}
              className="input"
              maxLength={MAX_KEY_NAME_LENGTH}
              required
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that was pressed has gone
              autoFocus
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        <div className="row gap-2">
          <Button type="submit" isBusy={rename.isPending}>
            Save
          </Button>
          <Button tone="ghost" onClick={onDone}>
            Cancel
          </Button>
        </div>
      </form>
    </li>
  )
}

const passkeys = query(listPasskeys, {})

function usePasskeys() {
  const cache = useQueryClient()
  const onSuccess = (keys: Passkey[]) => {
    cache.setQueryData(passkeys.queryKey, keys)
    void cache.invalidateQueries({ queryKey: keyOf(getCurrentUser, {}) })
  }
  return {
    keys: useQuery({ ...passkeys, refetchOnMount: 'always' }),
    add: useMutation({
      mutationFn: async (name: string) => {
        const options = (await call(beginPasskey, {})) as KeyOptionsText
        return call(addPasskey, { name, key: await makeKey(options) })
      },
      onSuccess,
    }),
    rename: useMutation({
      mutationFn: (given: { id: string; name: string }) => call(renamePasskey, given),
      onSuccess,
    }),
    remove: useMutation({ mutationFn: (id: string) => call(removePasskey, { id }), onSuccess }),
  }
}
