import type { Tx } from '../kit/database.server.ts'
import type { OrderLinesTable } from '../kit/tables.ts'

/** One kind of goods. Functions with `tx` run inside the caller's transaction, after the order and its payments are locked. */
export type Kind = {
  name: OrderLinesTable['delivery']
  /** Before money moves. False when too few are left; the caller then rolls back. Missing for goods without a stock. */
  reserve?: (tx: Tx, paymentId: string, lines: KindLine[]) => Promise<boolean>
  /** The payment ended without money. */
  release?: (tx: Tx, paymentId: string) => Promise<void>
  /** In settle, once, after the entitlements are written. `secret` is the shop's, for goods that are made at this moment. */
  deliver?: (tx: Tx, paymentId: string | null, lines: KindLine[], secret: string) => Promise<void>
  /**
   * Takes `quantity` copies of each line back, or all remaining copies if there are fewer. Runs in the transaction that books
   * the refund.
   */
  takeBack?: (tx: Tx, lines: KindLine[]) => Promise<void>
  /**
   * How copies leave the line of their buyer. Missing where all copies are the same thing: one is then enough for its
   * buyer, and a gift needs nothing but the access of who claims it.
   */
  give?: {
    /** `quantity` copies wait for who claims the gift, and its buyer opens them no more. False when too few are left. */
    setAside: (tx: Tx, line: KindLine, giftId: string) => Promise<boolean>
    putBack: (tx: Tx, line: KindLine, giftId: string) => Promise<void>
    /** From the buyer's line to the line of who claimed them, after its entitlement is written. */
    handOver: (tx: Tx, to: KindLine, giftId: string, secret: string) => Promise<void>
    /** Copies that the buyer has seen are the buyer's. */
    isSpoiltByUse: boolean
  }
}

export type KindLine = { id: string; productId: string; quantity: number }
