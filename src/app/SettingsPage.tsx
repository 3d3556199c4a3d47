import { Check, LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { PageHead } from '../ui/PageHead.tsx'
import { Segment } from '../ui/Segment.tsx'
import { Switch } from '../ui/Switch.tsx'
import { type Preferences, TEXT_SIZES, type TextSize, type Theme, THEMES } from './preferences.rules.ts'
import { usePreferences } from './usePreferences.ts'

const sizes = TEXT_SIZES.map((size) => ({ value: size, label: `${size}%` }))

/** How the shop looks and behaves, and the way out. */
export function SettingsPage() {
  const { preferences, change } = usePreferences()
  const { theme, mode, textSize, canZoom } = preferences
  return (
    <>
      <PageHead title="Settings" />
      <div className="settings">
        <Setting title="Appearance" about="Colour of the store on this device.">
          <div className="swatches" role="radiogroup" aria-label="Theme">
            {THEMES.map(({ id, name }) => (
              <Swatch
                key={id}
                id={id}
                name={name}
                mode={mode}
                isChosen={id === theme}
                onChoose={() => change({ theme: id })}
              />
            ))}
          </div>
        </Setting>
        <Setting title="App Preferences" about="Kept on this device.">
          <div className="list">
            <Switch
              label="Dark Mode"
              hint="Easier on the eyes at night"
              isOn={mode === 'dark'}
              onChange={(isOn) => change({ mode: isOn ? 'dark' : 'light' })}
            />
            <Switch
              label="Allow pinch zoom"
              hint="Off keeps the app still under two fingers"
              isOn={canZoom}
              onChange={(isOn) => change({ canZoom: isOn })}
            />
            <div className="list__row flex-wrap justify-between">
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
        <Setting title="Account">
          <a className="btn btn--bad-line justify-self-start" href="/api/logout">
            <LogOut className="icon" aria-hidden />
            Sign Out
          </a>
        </Setting>
      </div>
    </>
  )
}

const Setting = ({ title, about, children }: { title: string; about?: string; children: ReactNode }) => (
  <section className="setting">
    <div className="setting__head">
      <h2>{title}</h2>
      {about && <p>{about}</p>}
    </div>
    <div className="setting__body">{children}</div>
  </section>
)

type SwatchProps = { id: Theme; name: string; mode: Preferences['mode']; isChosen: boolean; onChoose: () => void }

const Swatch = ({ id, name, mode, isChosen, onChoose }: SwatchProps) => (
  <label className="swatch">
    <input type="radio" name="theme" checked={isChosen} onChange={onChoose} />
    <svg className="swatch__art" data-theme={id} data-mode={mode} viewBox="0 0 96 60" aria-hidden="true">
      <rect width="96" height="60" fill="var(--hero)" />
      <g fill="none" stroke="var(--hero-line)" strokeWidth=".7">
        {Array.from({ length: 10 }, (_, turn) => (
          <ellipse key={turn} cx="74" cy="20" rx="34" ry="13" transform={`rotate(${turn * 18} 74 20)`} />
        ))}
      </g>
      <rect x="10" y="34" width="34" height="5" rx="2.5" fill="var(--on-hero)" />
      <rect x="10" y="44" width="22" height="4" rx="2" fill="var(--hero-muted)" />
    </svg>
    {name}
    {isChosen && (
      <span className="swatch__tick" aria-hidden>
        <Check className="icon icon--sm" />
      </span>
    )}
  </label>
)
