import { withRecent } from './palette.rules.ts'

// What this person searched for last, kept in this browser alone and shown to nobody else who signs in here.

const KEY = 'recentSearches'

export function readRecent(userId: string): string[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as { owner?: unknown; searches?: unknown }
    return kept.owner === userId && Array.isArray(kept.searches)
      ? kept.searches.filter((one): one is string => typeof one === 'string')
      : []
  } catch {
    return []
  }
}

export function keepRecent(userId: string, searches: string[]): string[] {
  try {
    if (searches.length > 0) localStorage.setItem(KEY, JSON.stringify({ owner: userId, searches }))
    else localStorage.removeItem(KEY)
  } catch {
    // storage is closed: nothing is remembered
  }
  return searches
}

export const addRecent = (userId: string, q: string) => keepRecent(userId, withRecent(readRecent(userId), q))
