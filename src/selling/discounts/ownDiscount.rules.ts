import { type DiscountedLine, type DiscountTerms, shareDiscount } from '../../cart/discounts/discount.rules.ts'
import type { DiscountState, DiscountWords, OwnDiscount } from '../../cart/discounts/ownDiscounts.contract.ts'
import { priceProblem, readPrice } from '../../catalogue/price.rules.ts'
import { toCents } from '../../kit/money.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import type { Problems } from '../../ui/form/savedForm.rules.ts'
import type { OwnProduct } from '../selling.contract.ts'

export const STATE_NAMES: Record<DiscountState, string> = {
  active: 'Active',
  planned: 'Planned',
  paused: 'Paused',
  used_up: 'Used up',
  ended: 'Ended',
}

type DiscountSummary = Pick<OwnDiscount, 'percent' | 'amount' | 'products' | 'isFirstOnly'>

/** '20% off, all products, first purchase only' */
export function describeTerms({ percent, amount, products, isFirstOnly }: DiscountSummary): string {
  const off = percent === null ? `${usd(toCents(amount ?? '0'))} off` : `${percent}% off`
  const [product] = products ?? []
  const goods =
    products === null
      ? 'all products'
      : products.length === 1 && product
        ? product.title
        : `${products.length} products`
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
const beforeOf = (endsAt: string): string => new Date(Date.parse(endsAt) - 1).toISOString()

/** Returns the local day of a moment as the value of a date field: '2026-11-16'. */
export function dayOf(iso: string | null): string {
  if (iso === null) return ''
  const date = new Date(iso)
  const pad = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

export const lastDayOf = (endsAt: string | null): string => (endsAt === null ? '' : dayOf(beforeOf(endsAt)))

export function momentOf(day: string, later = 0): string | null {
  const [year = NaN, month = NaN, date = NaN] = day.split('-').map(Number)
  return day === '' ? null : new Date(year, month - 1, date + later).toISOString()
}

/** The values of the form. `off` is one field, because percent and amount exclude each other. */
export const typedOf = (code: OwnDiscount | null) => ({
  code: code?.code ?? '',
  off: {
    kind: code?.amount ? ('amount' as const) : ('percent' as const),
    percent: String(code?.percent ?? 20),
    amount: code?.amount ?? '2.00',
  },
  productIds: code?.products?.map(({ id }) => id).toSorted() ?? null,
  isFirstOnly: code?.isFirstOnly ?? false,
  mostUses: String(code?.mostUses ?? ''),
  mostPerBuyer: code ? String(code.mostPerBuyer ?? '') : '1',
  firstDay: dayOf(code?.startsAt ?? null),
  lastDay: lastDayOf(code?.endsAt ?? null),
})
export type Typed = ReturnType<typeof typedOf>

export const TYPED_NAMES: Record<keyof Typed, string> = {
  code: 'Code',
  off: 'Discount',
  productIds: 'Products',
  isFirstOnly: 'First purchase only',
  mostUses: 'Times in all',
  mostPerBuyer: 'Times a buyer',
  firstDay: 'First day',
  lastDay: 'Last day',
}

export function describeTyped(name: keyof Typed, typed: Typed): string {
  const { off, productIds, isFirstOnly } = typed
  if (name === 'off') return off.kind === 'percent' ? `${off.percent}%` : `$${off.amount}`
  if (name === 'productIds') return productIds ? plural(productIds.length, 'product') : 'all products'
  if (name === 'isFirstOnly') return isFirstOnly ? 'on' : 'off'
  if (name === 'firstDay' || name === 'lastDay') return typed[name] ? formatDay(momentOf(typed[name])!) : 'none'
  return typed[name] || 'no limit'
}

const isWhole = (typed: string, most: number) => /^\d+$/.test(typed) && Number(typed) >= 1 && Number(typed) <= most

export type TypedProblems = Problems<
  'code' | 'off.percent' | 'off.amount' | 'productIds' | 'mostUses' | 'mostPerBuyer' | 'lastDay'
>

/** The server repeats these checks. */
export function problemsOf({ code, off, productIds, firstDay, lastDay, mostUses, mostPerBuyer }: Typed): TypedProblems {
  const price = off.kind === 'amount' && priceProblem(readPrice(off.amount))
  const isOver = (typed: string, most: number) => typed !== '' && !isWhole(typed, most)
  return {
    ...(!/^[a-z0-9]{4,20}$/i.test(code.trim()) && { code: 'Enter 4 to 20 letters and digits.' }),
    ...(off.kind === 'percent' &&
      !isWhole(off.percent, 100) && { 'off.percent': 'Enter a whole number from 1 to 100.' }),
    ...(price && { 'off.amount': price.replace(/^Price/, 'The amount') }),
    ...(productIds?.length === 0 && { productIds: 'Choose a product.' }),
    ...(isOver(mostUses, 1_000_000) && { mostUses: 'Enter a number up to 1,000,000.' }),
    ...(isOver(mostPerBuyer, 1000) && { mostPerBuyer: 'Enter a number up to 1,000.' }),
    ...(firstDay && lastDay && lastDay < firstDay && { lastDay: 'The last day is before the first.' }),
  }
}

/** Sends an unedited day with its exact time. Otherwise a code that ended at noon would end at midnight. */
export function wordsOf(typed: Typed, before: OwnDiscount | null): DiscountWords {
  const isSame = (field: 'firstDay' | 'lastDay') => typed[field] === typedOf(before)[field]
  const { kind, percent, amount } = typed.off
  return {
    code: typed.code,
    percent: kind === 'percent' ? Number(percent) : null,
    amount: kind === 'amount' ? readPrice(amount) : null,
    productIds: typed.productIds,
    isFirstOnly: typed.isFirstOnly,
    startsAt: isSame('firstDay') ? (before?.startsAt ?? null) : momentOf(typed.firstDay),
    endsAt: isSame('lastDay') ? (before?.endsAt ?? null) : momentOf(typed.lastDay, 1),
    mostUses: typed.mostUses === '' ? null : Number(typed.mostUses),
    mostPerBuyer: typed.mostPerBuyer === '' ? null : Number(typed.mostPerBuyer),
  }
}

/** One copy of a product at its displayed price. Codes cost at least a cent. */
export function lineOf({ price, suggested, stock }: OwnProduct): DiscountedLine {
  if (suggested) return { cents: toCents(suggested), leastCents: toCents(price) }
  return { cents: toCents(price), leastCents: stock === null ? 0 : 1 }
}

/** Returns the discount on these lines in cents, or null while the typed discount is invalid. */
export function cutOf(lines: DiscountedLine[], typed: Typed): number | null {
  const problems = problemsOf(typed)
  if (problems['off.percent'] || problems['off.amount']) return null
  const isPercent = typed.off.kind === 'percent'
  const terms: DiscountTerms = {
    id: '',
    percent: isPercent ? Number(typed.off.percent) : null,
    amountCents: isPercent ? null : toCents(readPrice(typed.off.amount)),
  }
  return shareDiscount(lines, terms).reduce((sum, cents) => sum + cents, 0)
}
