import { toCents } from '../../kit/money.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import type { QueuedException } from '../../providers/usdc/transfers.contract.ts'
import { spanText } from './age.rules.ts'
import { type OpenItem, WAITING, type Waiting, type WaitingKind } from './waiting.contract.ts'

type Texts = {
  one: string
  many?: string
  /** Selects the items of the kind on their page. */
  search?: string
  /** Each item has its own page. */
  hasPages?: boolean
  /** Set if the owner may not act on the item. The text before the owner's name. */
  first?: string
  /** Replaces the name of an erased member or a deleted product. */
  nameless: string
  title: (about: string, sum: string) => string
}

const TRANSFERS: Record<QueuedException['kind'], (sum: string) => string> = {
  underpaid: (sum) => `Underpaid USDC transfer of ${sum}`,
  overpaid: (sum) => `${sum} overpaid in USDC`,
  late: (sum) => `Late USDC transfer of ${sum}`,
  reorganised: (sum) => `USDC transfer of ${sum} undone by the network`,
  refund: (sum) => `USDC refund of ${sum} to send`,
}
const isTransferKind = (kind: string): kind is QueuedException['kind'] => Object.hasOwn(TRANSFERS, kind)

const MEMBER = { nameless: 'a former member' }
const PRODUCT = { nameless: 'a deleted product' }

export const TEXTS: Record<WaitingKind, Texts> = {
  chats: { ...MEMBER, one: 'conversation', hasPages: true, title: (about) => `Message from ${about}` },
  refundApprovals: {
    ...MEMBER,
    ...{ one: 'refund to approve', many: 'refunds to approve', search: '?status=waits-for-approval', hasPages: true },
    first: 'Asked by',
    title: (about, sum) => `Refund of ${sum} for ${about} needs a second person`,
  },
  refundRequests: {
    ...PRODUCT,
    ...{ one: 'refund request', search: '?status=refund-requested', hasPages: true },
    title: (about) => `Refund requested for ${about}`,
  },
  riskHolds: {
    ...MEMBER,
    ...{ one: 'order on hold', many: 'orders on hold' },
    title: (about, sum) => `Order of ${sum} by ${about} is on hold`,
  },
  reports: { ...PRODUCT, one: 'report', hasPages: true, title: (about) => `Report about ${about}` },
  messageReports: {
    ...MEMBER,
    ...{ one: 'report of messages', many: 'reports of messages', search: '?show=messages' },
    first: 'About',
    title: (about) => `Messages reported by ${about}`,
  },
  codeCases: { ...PRODUCT, one: 'bad code', title: (about) => `Bad code of ${about}` },
  disputes: {
    ...MEMBER,
    one: 'dispute',
    hasPages: true,
    title: (about, sum) => `Dispute over ${sum} by ${about}`,
  },
  payouts: {
    ...MEMBER,
    one: 'payout',
    first: 'Approved first by',
    title: (about, sum) => `Payout of ${sum} to ${about}`,
  },
  transfers: {
    nameless: '',
    one: 'USDC transfer',
    title: (kind, sum) => (isTransferKind(kind) ? TRANSFERS[kind](sum) : `USDC transfer of ${sum}`),
  },
  supply: {
    ...PRODUCT,
    one: 'delivery of the supplier',
    many: 'deliveries of the supplier',
    title: (about) => `Codes of ${about}`,
  },
}

export function titleOf({ kind, about, amount }: Pick<OpenItem, 'kind' | 'about' | 'amount'>): string {
  const { title, nameless } = TEXTS[kind]
  return title(about ?? nameless, amount === null ? '' : usd(toCents(amount)))
}

/** Who handles the item, or who acted first where two members of staff act. */
export function ownerOf({ kind, owner, isMine }: Pick<OpenItem, 'kind' | 'owner' | 'isMine'>): string {
  if (isMine) return 'You'
  if (owner === null) return 'Nobody yet'
  const { first } = TEXTS[kind]
  return first ? `${first} ${owner}` : owner
}

export const pageOf = (kind: WaitingKind) => `${WAITING[kind]}${TEXTS[kind].search ?? ''}`

export const addressOf = ({ kind, id }: Pick<OpenItem, 'kind' | 'id'>) =>
  TEXTS[kind].hasPages ? `${WAITING[kind]}/${id}` : pageOf(kind)

export type OpenGroup = { kind: WaitingKind; items: OpenItem[]; more: number }

const urgencyOf = ({ dueAt, since }: OpenItem) => Date.parse(dueAt ?? since)

/** Groups by kind in the order of the menu. `more` counts the items that the list leaves out. */
export function groupItems(items: OpenItem[], waiting: Waiting[], isMine: boolean): OpenGroup[] {
  return waiting.flatMap(({ kind, count, mine }) => {
    const shown = items
      .filter((item) => item.kind === kind && (!isMine || item.isMine))
      .toSorted((a, b) => urgencyOf(a) - urgencyOf(b))
    const more = Math.max(0, (isMine ? mine : count) - shown.length)
    return shown.length + more > 0 ? [{ kind, items: shown, more }] : []
  })
}

/** '15 open items, the oldest for 2 days' */
export function summarize(waiting: Waiting[], now: number): string {
  const count = waiting.reduce((sum, one) => sum + one.count, 0)
  if (count === 0) return 'Nothing waits for you'
  const oldest = Math.min(...waiting.flatMap(({ oldestAt }) => (oldestAt === null ? [] : [Date.parse(oldestAt)])))
  return `${plural(count, 'open item')}, the oldest for ${spanText(now - oldest)}`
}
