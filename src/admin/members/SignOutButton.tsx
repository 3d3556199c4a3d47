import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { useDialog } from '../../ui/useDialog.ts'
import { signOutMember } from './members.contract.ts'

const ConfirmDialog = lazyDialog(() => import('../../ui/ConfirmDialog.tsx'), 'ConfirmDialog')

export function SignOutButton({ id, name }: { id: string; name: string }) {
  const cache = useQueryClient()
  const dialog = useDialog()
  const signOut = useMutation({
    mutationFn: () => call(signOutMember, { id }),
    onSuccess: ({ ended }) => toast({ title: `${plural(ended, 'session')} ended` }),
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t sign the member out. Please try again.'),
    onSettled: () => cache.invalidateQueries({ queryKey: ['/api/admin/members'] }),
  })
  return (
    <>
      <Button isBusy={signOut.isPending} onClick={dialog.open}>
        Sign out everywhere
      </Button>
      {dialog.isWanted && (
        <ConfirmDialog
          {...dialog.props}
          title={`Sign ${name} out everywhere?`}
          label="Sign out"
          tone="bad"
          onConfirm={() => signOut.mutate()}
        >
          The member must sign in again on every device. The member gets an email, and the audit log records this.
        </ConfirmDialog>
      )}
    </>
  )
}
