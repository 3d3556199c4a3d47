import type { UseMutationResult } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { LONGEST_KEY_NAME, type Passkey } from '../../identity/passkeys/passkey.contract.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { toastFailure } from '../../identity/toastFailure.client.ts'

type PasskeyRowProps = {
  passkey: Passkey
  rename: UseMutationResult<Passkey[], Error, { id: string; name: string }>
  remove: UseMutationResult<Passkey[], Error, string>
}

/** One passkey, to rename or to remove after a confirmation. */
export function PasskeyRow({ passkey, rename, remove }: PasskeyRowProps) {
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

type RenameProps = Pick<PasskeyRowProps, 'passkey' | 'rename'> & { onDone: () => void }

function Rename({ passkey: { id, name }, rename, onDone }: RenameProps) {
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
              maxLength={LONGEST_KEY_NAME}
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
