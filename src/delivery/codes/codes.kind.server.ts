import { REPORT } from '../cases/cases.store.server.ts'
import { endReturned, findSupplied, requestSupply, SUPPLY } from '../supply/supply.store.server.ts'
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
  shown: `json_build_object('kind', 'code', 'count', (SELECT count(*) FROM codes c
    WHERE c.order_line_id = l.id AND c.state = 'sold' AND c.gift_id IS NULL),
    'supplyBy', ${SUPPLY},
    'reports', (SELECT coalesce(json_agg(${REPORT} ORDER BY k.created_at DESC), '[]') FROM code_cases k JOIN codes c ON c.id = k.code_id
      WHERE c.order_line_id = l.id))`,
  // a supplier makes codes when they are sold: there is nothing to hold
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
