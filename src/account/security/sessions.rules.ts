import type { ActiveSession } from '../../identity/sessions/session.contract.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Shows hours, because the server records use once an hour. */
export function seenText(
  { isThis, lastSeenAt }: Pick<ActiveSession, 'isThis' | 'lastSeenAt'>,
  now: number,
  formatDay: (iso: string) => string,
): string {
  if (isThis) return 'Active now'
  const ago = now - Date.parse(lastSeenAt)
  if (ago < HOUR) return 'Seen within the hour'
  const hours = Math.floor(ago / HOUR)
  if (ago < DAY) return `Seen ${hours} ${hours === 1 ? 'hour' : 'hours'} ago`
  return `Seen ${formatDay(lastSeenAt)}`
}

/** Returns 'Germany' for 'DE', or an empty text for an unknown country. */
export function placeOf(country: string | null): string {
  return country ? (new Intl.DisplayNames(['en'], { type: 'region' }).of(country) ?? country) : ''
}
