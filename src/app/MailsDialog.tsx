import { setMails } from '../identity/account.contract.ts'
import { call } from '../kit/call.client.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../ui/Dialog.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Switch } from '../ui/Switch.tsx'
import { toastFailure } from '../ui/toast.client.ts'
import { useAccount, useAccountChange } from './useAccount.ts'
import type { DialogProps } from './useDialog.ts'

/** Which mails come. */
export function MailsDialog({ email, ...dialog }: DialogProps & { email: string }) {
  const { data: account, isError, isFetching, refetch } = useAccount()
  const change = useAccountChange((wantsNews: boolean) => call(setMails, { wantsNews }))
  const turn = (wantsNews: boolean) =>
    change.mutate(wantsNews, {
      onError: (error) => toastFailure(error, 'Your choice could not be saved. Please try again.'),
    })
  // what was chosen shows at once, and falls back when it could not be kept
  const wantsNews = change.isPending ? change.variables : account?.wantsNews
  return (
    <Dialog {...dialog} title="Email Preferences" description={`What we send to ${email}.`}>
      <DialogBody>
        {wantsNews !== undefined ? (
          <div className="list">
            <Switch
              label="Receipts and account mails"
              hint="Always on: they belong to what you buy and keep your account yours"
              isOn
              isDisabled
              onChange={() => undefined}
            />
            <Switch label="News and offers" hint="Off until you want them" isOn={wantsNews} onChange={turn} />
          </div>
        ) : isError ? (
          <ErrorState title="Your choice could not be loaded" onRetry={() => void refetch()} isRetrying={isFetching} />
        ) : (
          <Skeleton className="h-28 w-full" />
        )}
      </DialogBody>
      <DialogFoot>
        <Button onClick={dialog.onClose}>Done</Button>
      </DialogFoot>
    </Dialog>
  )
}
