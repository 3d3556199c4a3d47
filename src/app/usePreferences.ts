import { useSyncExternalStore } from 'react'
import type { Look, Preferences } from './preferences.rules.ts'
import { changePreferences, readKept, watchKept } from './preferences.client.ts'

export type UsedPreferences = { preferences: Preferences; change: (changes: Partial<Look>) => void }

/** How the shop looks; a change shows at once and is kept. */
export function usePreferences(): UsedPreferences {
  return { preferences: useSyncExternalStore(watchKept, readKept), change: changePreferences }
}
