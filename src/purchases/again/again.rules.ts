import { plural } from '../../localisation/plural.rules.ts'
import { isPaid } from '../order.rules.ts'
import type { Order } from '../orders.contract.ts'
import type { BoughtAgain } from './again.contract.ts'

/** A file or course that still opens needs no second copy. The buyer of a gift is another person. */
export const canBuyAgain = (order: Pick<Order, 'status' | 'source' | 'lines'>): boolean =>
  isPaid(order) &&
  order.source !== 'gift' &&
  order.lines.some(({ delivery }) => delivery?.kind !== 'file' && delivery?.kind !== 'course')

const quoted = (titles: string[]) => titles.map((title) => `“${title}”`).join(', ')

/** '2 products are in your cart. No longer for sale: “Tea card”. You have “Bread” already.' */
export const describeAgain = ({ added, gone, owned }: BoughtAgain): string =>
  [
    added > 0 && `${plural(added, 'product is', 'products are')} in your cart.`,
    gone.length > 0 && `No longer for sale: ${quoted(gone)}.`,
    owned.length > 0 && `You have ${quoted(owned)} already.`,
  ]
    .filter(Boolean)
    .join(' ')
