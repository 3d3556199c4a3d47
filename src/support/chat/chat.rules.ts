/** In UTF-16 units. The database allows at least as much. */
export const MAX_MESSAGE_LENGTH = 2000
/** Poll interval of the open chat and inbox without the change feed, in milliseconds. A hidden tab does not poll. */
export const ASK_EVERY = 5000

export const outboxOf = (userId: string) => `chat-outbox:${userId}`

export const isBlank = (text: string): boolean => text.trim() === ''

export function tooLong(text: string): string | null {
  const over = text.trim().length - MAX_MESSAGE_LENGTH
  return over > 0 ? `At most ${MAX_MESSAGE_LENGTH.toLocaleString('en')} characters. You’re ${over} over.` : null
}

export function charactersLeft(text: string): string | null {
  const left = MAX_MESSAGE_LENGTH - text.trim().length
  return left <= 200 ? (tooLong(text) ?? `${left} characters left.`) : null
}

/** 'within an hour', 'within 4 hours', 'within a day', 'within 3 days' */
export function within(hours: number): string {
  if (hours < 24) return hours === 1 ? 'within an hour' : `within ${hours} hours`
  const days = Math.ceil(hours / 24)
  return days === 1 ? 'within a day' : `within ${days} days`
}
