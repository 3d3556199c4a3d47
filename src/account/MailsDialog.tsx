import { useMutation, useQueryClient } from '@tanstack/react-query'
import { setMails } from '../identity/accounts/account.contract.ts'
import { call } from '../kit/call.client.ts'
import type { Input } from '../kit/contract.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../ui/Dialog.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { Switch } from '../ui/form/Switch.tsx'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { accountQuery, useAccount } from './useAccount.ts'
import type { DialogProps } from '../ui/useDialog.ts'
import { FollowedSellers } from '../selling/follows/FollowedSellers.tsx'
import { NewsSetting } from '../selling/news/NewsSetting.tsx'
import { VerifyButton } from './profile/VerifyButton.tsx'

export function MailsDialog({ email, isSeller, ...dialog }: DialogProps & { email: string; isSeller: boolean }) {
  const { data: account, isError, refetch } = useAccount()
  const cache = useQueryClient()
  const change = useMutation({
    mutationFn: (chosen: Input<typeof setMails>) => call(setMails, chosen),
    onSuccess: (changed) => cache.setQueryData(accountQuery.queryKey, changed),
    onError: (error) => toastFailure(error, 'We couldn’t save your choice. Please try again.'),
  })
  const shown = account && { ...account, ...(change.isPending && change.variables) }
  return (
    <Dialog {...dialog} title="Email Preferences" description={`What we send to ${email}.`}>
      <DialogBody>
        {account?.isMailRefused && (
          <div className="row row--top">
            <p className="field__error grow" role="alert">
              Emails to this address are bouncing, so we’ve paused news. Change it in Settings, or verify that it works.
            </p>
            <VerifyButton />
          </div>
        )}
        {shown ? (
          <div className="list">
            <Switch
              label="Receipts and account emails"
              hint="Always on. You need these for your purchases and your account’s security."
              isOn
              isDisabled
              onChange={() => undefined}
            />
            <Switch
              label="News and offers"
              hint="From us, and from sellers you bought from, who may see this address. Off unless you turn it on."
              isOn={shown.wantsNews}
              onChange={(wantsNews) => change.mutate({ wantsNews })}
            />
            <Switch
              label="Newer versions of what you bought"
              hint="When a seller sends one with a note"
              isOn={shown.wantsVersions}
              onChange={(wantsVersions) => change.mutate({ wantsVersions })}
            />
            <Switch
              label="Requests for reviews"
              hint="Once for each product that you used, on your Library page"
              isOn={shown.wantsReviewRequests}
              onChange={(wantsReviewRequests) => change.mutate({ wantsReviewRequests })}
            />
            <Switch
              label="Requests for reviews by email"
              hint="Off unless you turn it on"
              isOn={shown.wantsReviewRequests && shown.wantsReviewMails}
              isDisabled={!shown.wantsReviewRequests}
              onChange={(wantsReviewMails) => change.mutate({ wantsReviewMails })}
            />
            <Switch
              label="Messages of buyers and sellers"
              hint="One mail when somebody has written to you about a sale"
              isOn={shown.wantsMessages}
              onChange={(wantsMessages) => change.mutate({ wantsMessages })}
            />
            <Switch
              label="New products of sellers you follow"
              hint="At most one mail and one push message a day"
              isOn={shown.wantsFollows}
              onChange={(wantsFollows) => change.mutate({ wantsFollows })}
            />
          </div>
        ) : isError ? (
          <ErrorState title="Couldn’t load your choice" onRetry={refetch} />
        ) : (
          <Skeleton height="7rem" />
        )}
        <FollowedSellers onLeave={dialog.onClose} />
        {isSeller && <NewsSetting />}
      </DialogBody>
      <DialogFoot>
        <Button onClick={dialog.onClose}>Done</Button>
      </DialogFoot>
    </Dialog>
  )
}
