import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { signedCents } from '../../kit/money.ts'
import { formatDay, formatMoment } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { signedUsd } from '../../localisation/usd.rules.ts'
import type { Overview, WaitingItem } from './overview.contract.ts'

export type Task = { what: string; about: string; act: string; href: string }

/** What a seller reads about a thing that waits, and where it is answered. */
export function taskOf({ kind, id, title, until, amount }: WaitingItem): Task {
  const name = isolateRtl(title)
  switch (kind) {
    case 'dispute': {
      const frozen = signedUsd(signedCents(amount ?? '0.00'))
      return {
        what: `A buyer disputes ${name}`,
        about: `${frozen} is frozen until the payment provider decides${until ? ` · add facts by ${formatMoment(until)}` : ''}`,
        act: until ? 'Add facts' : 'Open sale',
        href: `/sales/${id}`,
      }
    }
    case 'code_case':
      return {
        what: 'A buyer reports a bad code',
        about: `${name}${until ? ` · answer by ${formatMoment(until)}` : ''}`,
        act: 'Answer',
        href: '/bad-codes',
      }
    case 'question':
      return {
        what: 'We have a question',
        about: `${name}${until ? ` · answer by ${formatDay(until)}` : ''}`,
        act: 'Answer',
        href: `/my-products/${id}`,
      }
    case 'goods':
      return {
        what: `${name} is not in the shop`,
        about: 'It has no file, code or lesson yet',
        act: 'Add goods',
        href: `/my-products/${id}`,
      }
    case 'review':
      return {
        what: `A buyer reviewed ${name}`,
        about: 'You can answer in public',
        act: 'Answer',
        href: `/my-products/${id}`,
      }
    case 'message':
      return { what: 'A buyer wrote to you', about: name, act: 'Reply', href: `/sales/${id}` }
  }
}

type Sums = Pick<Overview, 'today' | 'incoming' | 'disputed'>
export type OverviewFigure = { name: string; amount: string; about: string }

export function figuresOf({ today, incoming, disputed }: Sums): OverviewFigure[] {
  const { first } = incoming
  return [
    {
      name: 'Today',
      amount: amountText(today.net),
      about: today.sales > 0 ? `Net of ${plural(today.sales, 'sale')}` : 'No sale yet',
    },
    {
      name: 'On the way',
      amount: amountText(incoming.net),
      about: first ? `First ${amountText(first.net)} on ${formatDay(first.at)}` : 'No sale is on hold',
    },
    {
      name: 'Frozen',
      amount: amountText(disputed.net),
      about: disputed.sales > 0 ? `${plural(disputed.sales, 'disputed sale')}` : 'No sale is disputed',
    },
  ]
}

export const amountText = (decimal: string) => signedUsd(signedCents(decimal))

const DAY_MS = 86_400_000

/** The cents of each day from `from` to `to`, in UTC. */
export function centsByDay({ from, to, days }: Pick<Overview, 'from' | 'to' | 'days'>): number[] {
  const known = new Map(days.map(({ day, net }) => [day, signedCents(net)]))
  const all: number[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS)
    all.push(known.get(new Date(at).toISOString().slice(0, 10)) ?? 0)
  return all
}

/** The seller has no sales, no open items and no followers. */
export const isUntouched = ({ hasSold, waitingCount, followers }: Overview): boolean =>
  !hasSold && waitingCount === 0 && followers === 0

export const followersText = (followers: number): string =>
  followers === 0
    ? 'Nobody follows you yet. Members follow you on your page.'
    : `${plural(followers, 'member')} ${followers === 1 ? 'follows' : 'follow'} you. We notify them when you publish something new.`
