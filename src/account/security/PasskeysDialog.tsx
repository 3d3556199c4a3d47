import { canUsePasskeys } from '../../identity/passkeys/webauthn.client.ts'
import { Button } from '../../ui/Button.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { deviceName, passkeyProblem } from './passkeys.rules.ts'
import { PasskeyRow } from './PasskeyRow.tsx'
import type { DialogProps } from '../../ui/useDialog.ts'
import { usePasskeys } from './usePasskeys.ts'

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
          <ErrorState
            title="Couldn’t load the passkeys"
            onRetry={() => void keys.refetch()}
            isRetrying={keys.isFetching}
          />
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
