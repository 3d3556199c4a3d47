import { useSession } from '../identity/sessions/useSession.ts'
import { lazyPart } from '../ui/lazyPart.tsx'
import { PageHead } from '../ui/PageHead.tsx'
import { AppearanceSetting } from './AppearanceSetting.tsx'
import { PaymentSetting } from './PaymentSetting.tsx'
import { PreferencesSetting } from './PreferencesSetting.tsx'
import { SecuritySetting } from './SecuritySetting.tsx'
import { SupportSetting } from './SupportSetting.tsx'
import { usePreferences } from './usePreferences.ts'

const AccountSetting = lazyPart(async () => (await import('./AccountSetting.tsx')).AccountSetting)
const StaffSetting = lazyPart(async () => (await import('./StaffSetting.tsx')).StaffSetting)

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
        <SupportSetting />
        {user?.isAdmin && <StaffSetting />}
        <AccountSetting user={user} />
      </div>
    </>
  )
}
