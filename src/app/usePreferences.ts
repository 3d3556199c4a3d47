import { useState } from 'react'
import { type Preferences, readPreferences } from './preferences.rules.ts'

const read = () => {
  try {
    return readPreferences(localStorage.getItem('preferences'))
  } catch {
    return readPreferences(null)
  }
}

/** How the shop looks on this device; a change shows at once and is kept. */
export function usePreferences() {
  const [preferences, setPreferences] = useState(read)
  const change = (changes: Partial<Preferences>) => {
    const next = { ...preferences, ...changes }
    setPreferences(next)
    apply(next)
    try {
      localStorage.setItem('preferences', JSON.stringify(next))
    } catch {
      // storage is closed: the choice lasts as long as the page
    }
  }
  return { preferences, change }
}

function apply({ theme, mode, textSize, canZoom }: Preferences) {
  const html = document.documentElement
  html.dataset.theme = theme
  html.dataset.mode = mode
  html.style.fontSize = textSize === 100 ? '' : `${textSize}%`
  html.toggleAttribute('data-zoom', canZoom)
  const lock = canZoom ? '' : 'maximum-scale=1, '
  document
    .querySelector<HTMLMetaElement>('meta[name=viewport]')!
    .setAttribute('content', `width=device-width, initial-scale=1, ${lock}viewport-fit=cover`)
}
