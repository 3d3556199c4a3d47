import type { Gift, GiftsOfLine, ShownGift } from '../../delivery/gifts/gifts.contract.ts'
import { formatDay, formatMoment } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'

export function describeState({ state, toEmail, sendAt, sentAt, claimedAt }: Gift): string {
  if (state === 'claimed') return `Claimed on ${formatDay(claimedAt!)}`
  if (state === 'taken_back') return 'Taken back'
  if (state === 'ended') return 'Ended with a refund'
  if (toEmail && sentAt) return `Mailed to ${toEmail} on ${formatDay(sentAt)}. Not claimed yet`
  if (toEmail && sendAt) return `Goes to ${toEmail} on ${formatMoment(sendAt)}`
  return 'Not claimed yet'
}

/** Formats 'Gift for Noor', 'Gift of 3 for Noor'. */
export const nameGift = ({ quantity, toName }: Pick<Gift, 'quantity' | 'toName'>): string =>
  `Gift${quantity > 1 ? ` of ${quantity}` : ''}${toName ? ` for ${toName}` : ''}`

const WHY_NOT: Record<NonNullable<GiftsOfLine['whyNot']>, string> = {
  opened: 'You have opened it, so it stays yours.',
  none: 'No copy is left to give.',
  closed: 'Its payment is being returned or disputed, so it can’t be given now.',
  devices: 'Your devices use all seats.',
}

export function describeLeft({ most, whyNot }: GiftsOfLine): string {
  if (whyNot) return WHY_NOT[whyNot]
  return most === 1 ? 'You can give one away.' : `You can give ${most} away.`
}

export function describeCopies(toGive: number, isToGive: boolean): string {
  const copies = plural(toGive, 'copy', 'copies')
  return isToGive ? `${copies} to give away.` : `One is yours. ${copies} to give away.`
}

const KINDS: Record<string, [one: string, more: string]> = {
  code: ['code', 'codes'],
  license: ['licence seat', 'licence seats'],
  file: ['copy', 'copies'],
}

export function describeGift({ kind, quantity }: Pick<ShownGift, 'kind' | 'quantity'>): string {
  const [one, more] = KINDS[kind] ?? KINDS.file!
  if (quantity > 1) return `${quantity} ${more}. Paid for.`
  return kind === 'code' || kind === 'license' ? `One ${one}. Paid for.` : 'Paid for.'
}

export const OVER: Record<Exclude<ShownGift['state'], 'open'>, { title: string; text: string }> = {
  claimed: {
    title: 'Already claimed',
    text: 'Somebody has claimed this gift. If it was meant for you, ask the person who sent it.',
  },
  taken_back: { title: 'Taken back', text: 'The person who sent this gift has taken it back.' },
  ended: { title: 'This gift has ended', text: 'Its payment was returned, so it can’t be claimed any more.' },
  closed: {
    title: 'Not now',
    text: 'Its payment is being returned or disputed, so it can’t be claimed at the moment.',
  },
}

/** Returns 8:00 of a day in the giver's time zone as an ISO time. Null for a past day. */
export function momentOf(day: string, nowMs: number): string | null {
  const at = new Date(`${day}T08:00:00`)
  if (Number.isNaN(at.getTime())) return null
  const isOver = new Date(`${day}T23:59:59`).getTime() < nowMs
  return isOver ? null : at.toISOString()
}
