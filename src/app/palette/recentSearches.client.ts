import { deviceStorage } from '../../kit/storage.client.ts'
import { withRecent } from './palette.rules.ts'

// The last searches. Stored only in this browser and shown only to the account that made them.

const KEY = 'recentSearches'

export function readRecent(userId: string): string[] {
  const kept = deviceStorage.readJson(KEY) as { owner?: unknown; searches?: unknown } | null
  return kept?.owner === userId && Array.isArray(kept.searches)
    ? kept.searches.filter((one): one is string => typeof one === 'string')
    : []
}

export function keepRecent(userId: string, searches: string[]): string[] {
  deviceStorage.write(KEY, searches.length > 0 ? JSON.stringify({ owner: userId, searches }) : null)
  return searches
}

export const addRecent = (userId: string, q: string) => keepRecent(userId, withRecent(readRecent(userId), q))
