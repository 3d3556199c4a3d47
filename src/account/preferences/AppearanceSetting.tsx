import { Check } from 'lucide-react'
import { THEMES } from './preferences.rules.ts'
import { Setting } from '../../ui/Setting.tsx'
import type { UsedPreferences } from './preferences.client.ts'

export const AppearanceSetting = ({ preferences: { theme, mode, isSynced }, change }: UsedPreferences) => (
  <Setting title="Appearance" about={`The store’s colors${isSynced ? '' : ' on this device'}.`}>
    <div className="swatches" role="radiogroup" aria-label="Theme">
      {THEMES.map(({ id, name }) => (
        <label key={id} className="swatch">
          <input type="radio" name="theme" checked={id === theme} onChange={() => change({ theme: id })} />
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
          {id === theme && (
            <span className="swatch__tick" aria-hidden>
              <Check className="icon icon--sm" />
            </span>
          )}
        </label>
      ))}
    </div>
  </Setting>
)
