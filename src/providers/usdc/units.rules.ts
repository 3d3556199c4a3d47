// USDC counts in millionths of a dollar. Prices and the ledger count cents.

export const DECIMALS = 6
const UNITS_PER_CENT = 10_000
const UNITS_PER_DOLLAR = 1_000_000

export const unitsOf = (cents: number): number => cents * UNITS_PER_CENT

/** Rounds down: fractions of a cent are dropped. */
export const centsOf = (units: number): number => Math.floor(units / UNITS_PER_CENT)

/** Formats units with at least two decimals and without trailing zeros: '62.55', '0.000001'. */
export function formatUnits(units: number): string {
  const digits = String(units % UNITS_PER_DOLLAR).padStart(DECIMALS, '0')
  const decimals = digits.slice(0, 2) + digits.slice(2).replace(/0+$/, '')
  return `${Math.floor(units / UNITS_PER_DOLLAR)}.${decimals}`
}

export type Transfer = {
  units: number
  blockNumber: number
  blockAt: Date
  isConfirmed: boolean
}
type LevelInput = {
  status: string
  units: number
  openedAt: Date
  expiresAt: Date
  isClosed: boolean
  isAccepted: boolean
}

export type Standing = {
  kind: 'waiting' | 'partial' | 'seen' | 'confirmed'
  seenUnits: number
  confirmedUnits: number
}

const sum = (transfers: Transfer[]) => transfers.reduce((units, transfer) => units + transfer.units, 0)

/**
 * Evaluates the transfers to the address of a payment. An open payment counts all of them. An expired one counts blocks
 * before its end, because the scanner may read them late. A closed or canceled one counts none until staff accept it.
 */
export function standingOf(asked: LevelInput, transfers: Transfer[]): Standing {
  const counted = transfers.filter((transfer) => isCounted(asked, transfer))
  const seenUnits = sum(counted)
  const confirmedUnits = sum(counted.filter(({ isConfirmed }) => isConfirmed))
  const kind =
    confirmedUnits >= asked.units
      ? 'confirmed'
      : seenUnits >= asked.units
        ? 'seen'
        : seenUnits > 0
          ? 'partial'
          : 'waiting'
  return { kind, seenUnits, confirmedUnits }
}

/** Maximum difference between the clocks of chain and shop. */
const CLOCKS_MS = 15 * 60_000

function isCounted({ status, openedAt, expiresAt, isClosed, isAccepted }: LevelInput, { blockAt }: Transfer): boolean {
  // a restored backup can assign an address twice: earlier transfers belong to another payment
  if (blockAt.getTime() < openedAt.getTime() - CLOCKS_MS) return false
  if (isAccepted) return true
  if (isClosed || status === 'canceled' || status === 'failed') return false
  return status !== 'expired' || blockAt <= expiresAt
}

export const EXCEPTIONS = ['underpaid', 'overpaid', 'late', 'reorganised', 'refund'] as const
export type ExceptionKind = (typeof EXCEPTIONS)[number]

const ENDED_UNPAID = new Set(['canceled', 'expired', 'failed'])
const OPEN = new Set(['creating', 'created', 'capturing', 'declined'])

export const isUnpaidEnd = (status: string): boolean => ENDED_UNPAID.has(status)

export const isOpenPayment = (status: string): boolean => OPEN.has(status)

/**
 * Returns the exception of an ended payment for staff. `owedCents`: money that paid for no order, negative when a
 * reorganisation removed money that did.
 */
export function exceptionOf({
  status,
  amountCents,
  confirmedCents,
  owedCents,
}: {
  status: string
  amountCents: number
  confirmedCents: number
  owedCents: number
}): { kind: Exclude<ExceptionKind, 'refund'>; amountCents: number } | null {
  if (owedCents < 0) return { kind: 'reorganised', amountCents: -owedCents }
  if (owedCents === 0) return null
  if (!isUnpaidEnd(status)) return { kind: 'overpaid', amountCents: owedCents }
  return { kind: confirmedCents >= amountCents ? 'late' : 'underpaid', amountCents: owedCents }
}

/** Formats an EIP-681 payment link of the token for wallets. */
export const transferUri = (transfer: { token: string; chainId: number; address: string; units: number }): string =>
  `ethereum:${transfer.token}@${transfer.chainId}/transfer?address=${transfer.address}&uint256=${transfer.units}`

const NETWORKS: Record<number, string> = {
  1: 'Ethereum',
  10: 'OP Mainnet',
  137: 'Polygon',
  324: 'ZKsync Era',
  8453: 'Base',
  42161: 'Arbitrum One',
  42220: 'Celo',
  43114: 'Avalanche',
  59144: 'Linea',
  31337: 'Local test chain',
  80002: 'Polygon Amoy (test)',
  84532: 'Base Sepolia (test)',
  421614: 'Arbitrum Sepolia (test)',
  11155111: 'Sepolia (test)',
  11155420: 'OP Sepolia (test)',
  43113: 'Avalanche Fuji (test)',
}

export const networkName = (chainId: number): string => NETWORKS[chainId] ?? `Chain ${chainId}`

export const isTestNetwork = (chainId: number): boolean => /test/.test(NETWORKS[chainId] ?? '')
