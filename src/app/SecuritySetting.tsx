import { ChevronRight, Lock } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { CurrentUser } from '../identity/identity.contract.ts'
import { Setting } from './Setting.tsx'
import { useDialog } from './useDialog.ts'

const PasswordDialog = lazy(async () => ({ default: (await import('./PasswordDialog.tsx')).PasswordDialog }))

/** What keeps others out of the account. */
export function SecuritySetting({ user }: { user: CurrentUser }) {
  const password = useDialog()
  return (
    <Setting title="Security">
      <div className="list">
        <button type="button" className="list__row" onClick={password.open}>
          <Lock className="icon" aria-hidden />
          <strong className="grow">Change Password</strong>
          <ChevronRight className="icon" aria-hidden />
        </button>
      </div>
      <Suspense>{password.isWanted && <PasswordDialog {...password.props} email={user.email} />}</Suspense>
    </Setting>
  )
}
