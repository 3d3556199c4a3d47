import { useMutation, useQuery } from '@tanstack/react-query'
import { getLeaving, GRACE_DAYS, requestDeletion } from '../identity/accounts/deletion.contract.ts'
import { call } from '../kit/call.client.ts'
import { query } from '../kit/query/query.client.ts'
import { Button } from '../ui/Button.tsx'
import { Link } from '../ui/Link.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Dialog, DialogBody, DialogFoot } from '../ui/Dialog.tsx'
import { problemOf } from './useAccount.ts'
import type { DialogProps } from '../ui/useDialog.ts'

export function DeleteAccountDialog({ email, ...dialog }: DialogProps & { email: string }) {
  const leaving = useQuery({ ...query(getLeaving, {}), enabled: dialog.isOpen, refetchOnMount: 'always' })
  const { money = [], hold = null, canPayOut = false } = leaving.data ?? {}
  const ask = useMutation({ mutationFn: () => call(requestDeletion, {}) })
  const problem = problemOf(ask.error, 'We couldn’t send the email. Please try again.')
  return (
    <Dialog {...dialog} title="Delete Account" description={`The account of ${email}.`}>
      <DialogBody>
        {ask.data ? (
          <p role="status" className="wrap-anywhere">
            We emailed a link to <b>{ask.data.sentTo}</b>. Nothing is deleted until you open it.
          </p>
        ) : (
          <>
            <p>
              We’ll email you a link to confirm this. At least {GRACE_DAYS} days later, we erase your name, addresses,
              lists, chats, and devices. Sign in before then to keep your account.
            </p>
            <ul className="bullets stack gap-1">
              <li>You’ll lose access to everything you bought. Download your files first.</li>
              <li>When you confirm, we take your products off sale. People who bought them keep them.</li>
              <li>Orders stay in our records without your name, and your reviews are shown as from a former member.</li>
              {money.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </>
        )}
        {canPayOut && !ask.data && (
          <p>
            <Link className="text-link" href="/balance" onClick={dialog.onClose}>
              Open your balance
            </Link>
          </p>
        )}
        <Problem>{problem?.message ?? hold}</Problem>
      </DialogBody>
      <DialogFoot>
        <Button tone="ghost" onClick={dialog.onClose}>
          {ask.data ? 'Done' : 'Cancel'}
        </Button>
        {!ask.data && !hold && (
          <Button tone="bad" isBusy={ask.isPending} onClick={() => ask.mutate()}>
            Email me the link
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  )
}
