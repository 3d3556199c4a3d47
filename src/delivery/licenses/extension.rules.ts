export type Extent = { expiresAt: Date | null; devicesPerSeat: number }

/** The end of a day in UTC. */
export const endOfDay = (day: string): Date => new Date(Date.parse(day) + 86_400_000 - 1000)

/** Why a key does not change from `former` to `next`: it only gets more. Null: it does. */
export function problemOfExtension(former: Extent, next: Extent, now: Date): string | null {
  if (next.devicesPerSeat < former.devicesPerSeat) return 'A key can’t lose devices.'
  if (next.expiresAt === null) return null
  if (former.expiresAt === null) return 'This key does not end, so it can’t get an end.'
  if (next.expiresAt < former.expiresAt) return 'The key works longer already. Choose a later day.'
  return next.expiresAt > now ? null : 'Choose a day that is not over.'
}

export const isSameExtent = (one: Extent, other: Extent): boolean =>
  one.devicesPerSeat === other.devicesPerSeat && one.expiresAt?.getTime() === other.expiresAt?.getTime()
