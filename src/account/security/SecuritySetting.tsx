import { ChevronRight, Fingerprint, KeyRound, Lock, MonitorSmartphone } from 'lucide-react'
import { type ReactNode } from 'react'
import type { CurrentUser } from '../../identity/identity.contract.ts'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { Setting } from '../../ui/Setting.tsx'
import { useDialog } from '../../ui/useDialog.ts'

const PasswordDialog = lazyDialog(() => import('./PasswordDialog.tsx'), 'PasswordDialog')
const TwoFactorDialog = lazyDialog(() => import('./TwoFactorDialog.tsx'), 'TwoFactorDialog')
const PasskeysDialog = lazyDialog(() => import('./PasskeysDialog.tsx'), 'PasskeysDialog')
const SessionsDialog = lazyDialog(() => import('./SessionsDialog.tsx'), 'SessionsDialog')

export function SecuritySetting({ user }: { user: CurrentUser }) {
  const password = useDialog()
  const secondFactor = useDialog()
  const passkeys = useDialog()
  const sessions = useDialog()
  return (
    <Setting title="Security">
      <div className="list">
        <Row icon={<Lock className="icon" aria-hidden />} name="Change Password" onPress={password.open} />
        <Row
          icon={<KeyRound className="icon" aria-hidden />}
          name="Two-Factor Authentication"
          note={user.twoFactorEnabled ? 'On' : 'Off'}
          onPress={secondFactor.open}
        />
        <Row icon={<Fingerprint className="icon" aria-hidden />} name="Passkeys" onPress={passkeys.open} />
        <Row icon={<MonitorSmartphone className="icon" aria-hidden />} name="Active Sessions" onPress={sessions.open} />
      </div>
      {password.isWanted && <PasswordDialog {...password.props} email={user.email} />}
      {secondFactor.isWanted && <TwoFactorDialog {...secondFactor.props} email={user.email} />}
      {passkeys.isWanted && <PasskeysDialog {...passkeys.props} />}
      {sessions.isWanted && <SessionsDialog {...sessions.props} />}
    </Setting>
  )
}

type RowProps = { icon: ReactNode; name: string; note?: string; onPress: () => void }

const Row = ({ icon, name, note, onPress }: RowProps) => (
  <button type="button" className="list__row" onClick={onPress}>
    {icon}
    <strong className="grow">{name}</strong>
    {note && <span className="muted small">{note}</span>}
    <ChevronRight className="icon" aria-hidden />
  </button>
)
