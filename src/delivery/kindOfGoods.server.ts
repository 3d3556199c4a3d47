import type { Tx } from '../kit/database.server.ts'
import type { OrderLinesTable } from '../kit/tables.ts'

/** One kind of goods. Functions with `tx` run in the caller's transaction, which locked order and payments. */
export type Kind = {
  name: OrderLinesTable['delivery']
  /** Runs before money moves. Returns false if too few are left, so that the caller rolls back. */
  reserve?: (tx: Tx, paymentId: string, lines: KindLine[]) => Promise<boolean>
  /** Runs when the payment ends without money. */
  release?: (tx: Tx, paymentId: string) => Promise<void>
  /** Runs once when the payment settles, after the entitlements are written. `secret` is the shop's. */
  deliver?: (tx: Tx, paymentId: string | null, lines: KindLine[], secret: string) => Promise<void>
  /** Revokes `quantity` copies of each line, or all remaining ones. Runs in the transaction that books the refund. */
  takeBack?: (tx: Tx, lines: KindLine[]) => Promise<void>
  /**
   * Moves copies between lines. Undefined if all copies are identical: the buyer needs only one, and a gift needs only
   * an entitlement.
   */
  give?: {
    /** Reserves `quantity` copies for the recipient and locks them for the buyer. Returns false if too few are left. */
    setAside: (tx: Tx, line: KindLine, giftId: string) => Promise<boolean>
    putBack: (tx: Tx, line: KindLine, giftId: string) => Promise<void>
    /** Moves copies from the buyer's line to the recipient's line, after its entitlement is written. */
    handOver: (tx: Tx, to: KindLine, giftId: string, secret: string) => Promise<void>
    /** Copies that the buyer has opened cannot be given away. */
    isSpoiltByUse: boolean
  }
}

export type KindLine = { id: string; productId: string; quantity: number }
