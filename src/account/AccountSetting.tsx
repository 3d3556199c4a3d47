import { AtSign, ChevronRight, FileDown, LogOut, UserX } from 'lucide-react'
import { type ReactNode } from 'react'
import { dropDraft } from '../catalogue/add-product/draft.client.ts'
import type { CurrentUser } from '../identity/identity.contract.ts'
import { lazyDialog } from '../ui/lazyPart.tsx'
import { Setting } from '../ui/Setting.tsx'
import { useDialog } from '../ui/useDialog.ts'

const EmailDialog = lazyDialog(() => import('./EmailDialog.tsx'), 'EmailDialog')
const ExportDialog = lazyDialog(() => import('./ExportDialog.tsx'), 'ExportDialog')
const DeleteAccountDialog = lazyDialog(() => import('./DeleteAccountDialog.tsx'), 'DeleteAccountDialog')

export function AccountSetting({ user }: { user: CurrentUser | null }) {
  return (
    <Setting title="Account" about="Your email, your data, and signing out.">
      {user && <Rows user={user} />}
      <a className="btn btn--bad-line self-start" href="/api/logout" onClick={dropDraft}>
        <LogOut className="icon" aria-hidden />
        Sign Out
      </a>
    </Setting>
  )
}

function Rows({ user: { email } }: { user: CurrentUser }) {
  const [address, data, deletion] = [useDialog(), useDialog(), useDialog()]
  return (
    <div className="list">
      <Row icon={<AtSign className="icon" aria-hidden />} name="Change Email" note={email} onPress={address.open} />
      <Row
        icon={<FileDown className="icon" aria-hidden />}
        name="Download My Data"
        note="Everything we store about you, plus the files you bought"
        onPress={data.open}
      />
      <Row
        icon={<UserX className="icon" aria-hidden />}
        name="Delete Account"
        note="Confirmed by email, with 14 days to change your mind"
        onPress={deletion.open}
      />
      {address.isWanted && <EmailDialog {...address.props} email={email} />}
      {data.isWanted && <ExportDialog {...data.props} />}
      {deletion.isWanted && <DeleteAccountDialog {...deletion.props} email={email} />}
    </div>
  )
}

type RowProps = { icon: ReactNode; name: string; note: string; onPress: () => void }

const Row = ({ icon, name, note, onPress }: RowProps) => (
  <button type="button" className="list__row" onClick={onPress}>
    {icon}
    <span className="grow">
      <strong>{name}</strong>
      <small className="wrap-anywhere">{note}</small>
    </span>
    <ChevronRight className="icon" aria-hidden />
  </button>
)
