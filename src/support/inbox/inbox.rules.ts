import { plural } from '../../localisation/plural.rules.ts'
import type { Conversation, Inbox } from './inbox.contract.ts'

export type InboxFilter = 'waiting' | 'mine' | 'all'

/** Excludes snoozed conversations and unread conversations that the assistant answered. */
export const isWaiting = ({
  waitingSince,
  snoozedUntil,
}: Pick<Conversation, 'waitingSince' | 'snoozedUntil'>): boolean => snoozedUntil === null && waitingSince !== null

/** Returns the conversations for the chosen filter. An answered conversation does not wait, even if it is open. */
export const pickConversations = (all: Conversation[], shown: InboxFilter, ownId = ''): Conversation[] =>
  shown === 'all'
    ? all
    : shown === 'mine'
      ? all.filter(({ assignee }) => assignee?.id === ownId)
      : all.filter(isWaiting)

/** Removes duplicates, because a conversation can move between two page requests. */
export function listOnce(all: Conversation[]): Conversation[] {
  const seen = new Set<string>()
  return all.filter(({ userId }) => !seen.has(userId) && seen.add(userId))
}

/** '3 waiting, the oldest for 6 minutes'; `now` in milliseconds since 1970. */
export const describeWaiting = ({ waiting, waitingSince }: Pick<Inbox, 'waiting' | 'waitingSince'>, now: number) =>
  waitingSince === null
    ? 'No one is waiting'
    : `${waiting} waiting, the oldest for ${spell(now - Date.parse(waitingSince))}`

/** 'less than a minute', '6 minutes', '3 hours', '2 days' */
export function spell(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'less than a minute'
  const [count, unit]: [number, string] =
    minutes < 60
      ? [minutes, 'minute']
      : minutes < 48 * 60
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.floor(minutes / 1440), 'day']
  return plural(count, unit)
}
