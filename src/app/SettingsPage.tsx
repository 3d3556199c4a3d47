import { LogOut } from 'lucide-react'
import { dropDraft } from '../catalogue/draft.client.ts'
import { useSession } from '../identity/useSession.ts'
import { PageHead } from '../ui/PageHead.tsx'
import { AppearanceSetting } from './AppearanceSetting.tsx'
import { PaymentSetting } from './PaymentSetting.tsx'
import { PreferencesSetting } from './PreferencesSetting.tsx'
import { SecuritySetting } from './SecuritySetting.tsx'
import { Setting } from './Setting.tsx'
import { SupportSetting } from './SupportSetting.tsx'
import { usePreferences } from './usePreferences.ts'

/** How the shop looks and behaves, how it is paid, and the way out. */
export function SettingsPage() {
  const { user } = useSession()
  const used = usePreferences()
  return (
    <>
      <PageHead title="Settings" />
      <div className="settings">
        <AppearanceSetting {...used} />
        {user && <PreferencesSetting {...used} userId={user.id} />}
        <PaymentSetting />
        {user && <SecuritySetting user={user} />}
        <SupportSetting isAdmin={user?.isAdmin ?? false} />
        <Setting title="Account">
          <a className="btn btn--bad-line justify-self-start" href="/api/logout" onClick={dropDraft}>
            <LogOut className="icon" aria-hidden />
            Sign Out
          </a>
        </Setting>
      </div>
    </>
  )
}
