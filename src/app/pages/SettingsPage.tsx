import { useSession } from '../../identity/sessions/useSession.ts'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { AppearanceSetting } from '../../account/preferences/AppearanceSetting.tsx'
import { PaymentSetting } from '../../providers/settings/PaymentSetting.tsx'
import { PreferencesSetting } from '../../account/preferences/PreferencesSetting.tsx'
import { SecuritySetting } from '../../account/security/SecuritySetting.tsx'
import { SupportSetting } from '../../support/SupportSetting.tsx'
import { usePreferences } from '../../account/preferences/preferences.client.ts'

const AccountSetting = lazyPart(() => import('../../account/AccountSetting.tsx'), 'AccountSetting')

export function SettingsPage() {
  const { user } = useSession()
  const used = usePreferences()
  return (
    <>
      <PageHead title="Settings" />
      <div className="settings">
        <AppearanceSetting {...used} />
        {user && <PreferencesSetting {...used} userId={user.id} />}
        {user && <SecuritySetting user={user} />}
        <SupportSetting />
        <PaymentSetting />
        <AccountSetting user={user} />
      </div>
    </>
  )
}
