import type { DiscountState, OwnDiscount } from '../../cart/discounts/ownDiscounts.contract.ts'
import { toCents } from '../../kit/money.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'

// A code in the seller's words, and its days as the form shows them.

export const STATE_NAMES: Record<DiscountState, string> = {
  active: 'Active',
  planned: 'Planned',
  paused: 'Paused',
  used_up: 'Used up',
  ended: 'Ended',
}

type Shown = Pick<OwnDiscount, 'percent' | 'amount' | 'products' | 'isFirstOnly'>

/** '20% off, all products, first purchase only' */
export function describeTerms({ percent, amount, products, isFirstOnly }: Shown): string {
  const off = percent === null ? `${usd(toCents(amount!))} off` : `${percent}% off`
  const goods =
    products === null ? 'all products' : products.length === 1 ? products[0]!.title : `${products.length} products`
  return [off, goods, ...(isFirstOnly ? ['first purchase only'] : [])].join(', ')
}

type Counted = Pick<OwnDiscount, 'uses' | 'mostUses' | 'mostPerBuyer' | 'startsAt' | 'endsAt'>

/** 'Used 18 of 50, once a buyer. Nov 16, 2026 to Nov 30, 2026.' */
export function describeUse({ uses, mostUses, mostPerBuyer, startsAt, endsAt }: Counted): string {
  const limit = mostUses === null ? `Used ${count(uses)}, no limit` : `Used ${count(uses)} of ${count(mostUses)}`
  const each =
    mostPerBuyer === null ? '' : mostPerBuyer === 1 ? ', once a buyer' : `, ${count(mostPerBuyer)} times a buyer`
  return `${limit}${each}. ${describeDays(startsAt, endsAt)}.`
}

function describeDays(startsAt: string | null, endsAt: string | null): string {
  const [first, last] = [startsAt && formatDay(startsAt), endsAt && formatDay(beforeOf(endsAt))]
  if (first && last) return `${first} to ${last}`
  if (first) return `From ${first}`
  return last ? `Until ${last}` : 'No end'
}

const count = (many: number) => many.toLocaleString('en')
/** The last moment of the code. */
const beforeOf = (endsAt: string): string => new Date(Date.parse(endsAt) - 1).toISOString()

/** The browser's day of a moment, as a date field shows it: '2026-11-16'. */
export function dayOf(iso: string | null): string {
  if (iso === null) return ''
  const date = new Date(iso)
  const pad = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

export const lastDayOf = (endsAt: string | null): string => (endsAt === null ? '' : dayOf(beforeOf(endsAt)))

/** The start of a day in the browser's time zone; `later` days later. */
export function momentOf(day: string, later = 0): string | null {
  const [year, month, date] = day.split('-').map(Number)
  return day === '' ? null : new Date(year!, month! - 1, date! + later).toISOString()
}
