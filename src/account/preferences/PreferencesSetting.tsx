import { CurrencyPicker } from '../../localisation/CurrencyPicker.tsx'
import { Segment } from '../../ui/form/Segment.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { TEXT_SIZES, type TextSize } from './preferences.rules.ts'
import { PushSwitch } from '../../notifications/push/PushSwitch.tsx'
import { Setting } from '../../ui/Setting.tsx'
import { setSynced, type UsedPreferences } from './preferences.client.ts'

const sizes = TEXT_SIZES.map((size) => ({ value: size, label: `${size}%` }))

type PreferencesSettingProps = UsedPreferences & { userId: string }

export function PreferencesSetting({ preferences, change, userId }: PreferencesSettingProps) {
  const { mode, canZoom, textSize, isSynced } = preferences
  const sync = (isOn: boolean) =>
    void setSynced(isOn, userId).catch((error: unknown) =>
      toastFailure(error, 'We couldn’t sync your preferences. We’ll try again with your next change.'),
    )
  return (
    <Setting
      title="App Preferences"
      about={
        isSynced
          ? 'Your look is saved to your account. Notifications and currency stay on this device.'
          : 'Saved on this device.'
      }
    >
      <div className="list">
        <PushSwitch />
        <Switch
          label="Dark Mode"
          hint="Easier on the eyes at night"
          isOn={mode === 'dark'}
          onChange={(isOn) => change({ mode: isOn ? 'dark' : 'light' })}
        />
        <Switch label="Auto Sync" hint="The same look on all your devices" isOn={isSynced} onChange={sync} />
        <Switch
          label="Allow pinch zoom"
          hint="Zoom in with two fingers"
          isOn={canZoom}
          onChange={(isOn) => change({ canZoom: isOn })}
        />
        <CurrencyPicker />
        <div className="list__row row--wrap row--between">
          <strong>Text size</strong>
          <Segment
            label="Text size"
            options={sizes}
            value={textSize}
            onChange={(size: TextSize) => change({ textSize: size })}
          />
        </div>
      </div>
    </Setting>
  )
}
