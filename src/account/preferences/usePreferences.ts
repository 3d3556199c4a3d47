import { useStore } from '../../kit/store.client.ts'
import { changePreferences, preferences } from './preferences.client.ts'
import type { Look, Preferences } from './preferences.rules.ts'

export type UsedPreferences = { preferences: Preferences; change: (changes: Partial<Look>) => void }

export const usePreferences = (): UsedPreferences => ({ preferences: useStore(preferences), change: changePreferences })
