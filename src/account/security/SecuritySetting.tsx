import { Fingerprint, KeyRound, Lock, MonitorSmartphone } from 'lucide-react'
import type { CurrentUser } from '../../identity/identity.contract.ts'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { DialogRow, Setting } from '../../ui/Setting.tsx'

const PasswordDialog = lazyDialog(() => import('./PasswordDialog.tsx'), 'PasswordDialog')
const TwoFactorDialog = lazyDialog(() => import('./TwoFactorDialog.tsx'), 'TwoFactorDialog')
const PasskeysDialog = lazyDialog(() => import('./PasskeysDialog.tsx'), 'PasskeysDialog')
const SessionsDialog = lazyDialog(() => import('./SessionsDialog.tsx'), 'SessionsDialog')

export const SecuritySetting = ({ user: { email, twoFactorEnabled } }: { user: CurrentUser }) => (
  <Setting title="Security">
    <div className="list">
      <DialogRow Icon={Lock} name="Change Password">
        {(dialog) => <PasswordDialog {...dialog} email={email} />}
      </DialogRow>
      <DialogRow Icon={KeyRound} name="Two-Factor Authentication" value={twoFactorEnabled ? 'On' : 'Off'}>
        {(dialog) => <TwoFactorDialog {...dialog} email={email} />}
      </DialogRow>
      <DialogRow Icon={Fingerprint} name="Passkeys">
        {(dialog) => <PasskeysDialog {...dialog} />}
      </DialogRow>
      <DialogRow Icon={MonitorSmartphone} name="Active Sessions">
        {(dialog) => <SessionsDialog {...dialog} />}
      </DialogRow>
    </div>
  </Setting>
)
