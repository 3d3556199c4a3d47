import { AtSign, ChevronRight, FileDown, LogOut, UserX, Wallet } from 'lucide-react'
import { dropDraft } from '../catalogue/add-product/draft.client.ts'
import type { CurrentUser } from '../identity/identity.contract.ts'
import { lazyDialog } from '../ui/lazyPart.tsx'
import { Link } from '../ui/Link.tsx'
import { DialogRow, Setting } from '../ui/Setting.tsx'

const EmailDialog = lazyDialog(() => import('./EmailDialog.tsx'), 'EmailDialog')
const ExportDialog = lazyDialog(() => import('./ExportDialog.tsx'), 'ExportDialog')
const DeleteAccountDialog = lazyDialog(() => import('./DeleteAccountDialog.tsx'), 'DeleteAccountDialog')

export function AccountSetting({ user }: { user: CurrentUser | null }) {
  const shown = user?.email ?? ''
  return (
    <Setting title="Account" about="Your email, your payment methods, your data, and signing out.">
      {user && (
        <div className="list">
          <DialogRow Icon={AtSign} name="Change Email" about={shown}>
            {(dialog) => <EmailDialog {...dialog} email={shown} />}
          </DialogRow>
          <Link className="list__row" href="/profile/payments">
            <Wallet className="icon" aria-hidden />
            <strong className="grow">Payment methods</strong>
            <ChevronRight className="icon" aria-hidden />
          </Link>
          <DialogRow
            Icon={FileDown}
            name="Download My Data"
            about="Everything we store about you, with a list of what you bought"
          >
            {(dialog) => <ExportDialog {...dialog} />}
          </DialogRow>
          <DialogRow Icon={UserX} name="Delete Account" about="Confirmed by email, with 14 days to change your mind">
            {(dialog) => <DeleteAccountDialog {...dialog} email={shown} />}
          </DialogRow>
        </div>
      )}
      <a className="btn btn--bad-line self-start" href="/api/logout" onClick={dropDraft}>
        <LogOut className="icon" aria-hidden />
        Sign Out
      </a>
    </Setting>
  )
}
