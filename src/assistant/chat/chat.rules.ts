/** Longest message, in characters as JavaScript counts them; the database's limit is the same or wider. */
export const LONGEST_MESSAGE = 2000

export const isBlank = (text: string): boolean => text.trim() === ''

/** What to say of a message that is too long; null when it is not. */
export function tooLong(text: string): string | null {
  const over = text.trim().length - LONGEST_MESSAGE
  return over > 0 ? `At most ${LONGEST_MESSAGE.toLocaleString('en')} characters. You’re ${over} over.` : null
}

/** How many characters are left, told when they become few. */
export function charactersLeft(text: string): string | null {
  const left = LONGEST_MESSAGE - text.trim().length
  return left <= 200 ? (tooLong(text) ?? `${left} characters left.`) : null
}

/** 'within an hour', 'within 4 hours', 'within a day', 'within 3 days' */
export function within(hours: number): string {
  if (hours < 24) return hours === 1 ? 'within an hour' : `within ${hours} hours`
  const days = Math.ceil(hours / 24)
  return days === 1 ? 'within a day' : `within ${days} days`
}

/** The line under the panel's title. */
export const statusText = (isOnline: boolean, answersWithinHours: number): string =>
  isOnline ? 'Online' : `A person answers ${within(answersWithinHours)}`

type Said = { author: 'user' | 'admin' | 'assistant'; articles: string[]; ageMinutes: number }

/** How long after a person's message the assistant leaves the conversation to people, in minutes. */
export const PERSON_IS_HERE_MINUTES = 30

/**
 * Whether the assistant should name these articles: not into a conversation with a person, and not the same ones again.
 * `said` is what was said lately.
 */
export function mayName(found: string[], said: Said[]): boolean {
  if (found.length === 0) return false
  if (said.some(({ author, ageMinutes }) => author === 'admin' && ageMinutes < PERSON_IS_HERE_MINUTES)) return false
  const named = new Set(said.flatMap(({ articles }) => articles))
  return found.some((slug) => !named.has(slug))
}
