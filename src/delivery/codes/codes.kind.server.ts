import { endReturned, findSupplied, requestSupply } from '../supply/supply.store.server.ts'
import type { Kind } from '../kindOfGoods.server.ts'
import {
  handCodesOver,
  holdCodes,
  putCodesBack,
  releaseCodes,
  sellHeldCodes,
  setCodesAside,
  takeCopiesBack,
} from './codes.store.server.ts'

export const codes: Kind = {
  name: 'code',
  // a supplier makes codes after the sale, so there is nothing to reserve
  reserve: async (tx, paymentId, lines) => {
    const supplied = await findSupplied(tx, lines)
    return holdCodes(
      tx,
      paymentId,
      lines.filter(({ productId }) => !supplied.has(productId)),
    )
  },
  release: releaseCodes,
  deliver: async (tx, paymentId, lines) => {
    if (paymentId === null) return
    await sellHeldCodes(tx, paymentId)
    await requestSupply(tx, paymentId, lines)
  },
  takeBack: async (tx, lines) => {
    await endReturned(tx, lines)
    await takeCopiesBack(tx, lines)
  },
  give: { setAside: setCodesAside, putBack: putCodesBack, handOver: handCodesOver, isSpoiltByUse: true },
}
