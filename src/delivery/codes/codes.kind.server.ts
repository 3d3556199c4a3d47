import type { Kind } from '../kindOfGoods.server.ts'
import { holdCodes, releaseCodes, returnCopies, sellHeldCodes, voidCopies } from './codes.store.server.ts'

/** Gift cards and vouchers: each copy is one code of the stock. */
export const codes: Kind = {
  name: 'code',
  shown: `json_build_object('kind', 'code', 'count', l.quantity - s.returned_quantity)`,
  reserve: holdCodes,
  release: releaseCodes,
  deliver: sellHeldCodes,
  // seen codes are never sold again
  takeBack: (tx, lines, isUnseen) => (isUnseen ? returnCopies(tx, lines) : voidCopies(tx, lines)),
}
