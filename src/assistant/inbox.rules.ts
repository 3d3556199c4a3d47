import type { Conversation } from './inbox.contract.ts'

export type Shown = 'waiting' | 'all'

export const isWaiting = ({ waitingSince, unread }: Pick<Conversation, 'waitingSince' | 'unread'>): boolean =>
  waitingSince !== null || unread > 0

/** What the list shows; the open conversation stays in it, whatever becomes of it. */
export const pickConversations = (all: Conversation[], shown: Shown, openId: string): Conversation[] =>
  shown === 'all' ? all : all.filter((one) => isWaiting(one) || one.userId === openId)

/** '3 waiting, the oldest for 6 minutes'; `now` in milliseconds since 1970. */
export function describeWaiting(all: Conversation[], now: number): string {
  const times = all.flatMap(({ waitingSince }) => waitingSince ?? []).map((iso) => Date.parse(iso))
  if (times.length === 0) return 'Nobody is waiting'
  return `${times.length} waiting, the oldest for ${spell(now - Math.min(...times))}`
}

/** 'less than a minute', '6 minutes', '3 hours', '2 days' */
export function spell(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'less than a minute'
  const [count, unit] =
    minutes < 60
      ? [minutes, 'minute']
      : minutes < 48 * 60
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.floor(minutes / 1440), 'day']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
