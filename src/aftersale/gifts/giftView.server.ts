import type { Checkout } from '../../checkout/context.server.ts'
import type { Gift } from '../../delivery/gifts/gifts.contract.ts'
import { type GiftRow, openGiftLinks } from '../../delivery/gifts/gifts.store.server.ts'

export function openLinks({ publicUrl, secret }: Pick<Checkout, 'publicUrl' | 'secret'>) {
  const tokenOf = openGiftLinks(secret)
  const linkOf = ({ id, links }: Pick<GiftRow, 'id' | 'links'>) => `${publicUrl}/gift/${tokenOf(id, links)}`
  return { tokenOf, linkOf }
}

export const showGift = ({ id, quantity, state, toName, toEmail, note, ...gift }: GiftRow): Gift => ({
  ...{ id, quantity, state, toName, toEmail, note },
  sendAt: gift.sendAt?.toISOString() ?? null,
  sentAt: gift.sentAt?.toISOString() ?? null,
  claimedAt: gift.claimedAt?.toISOString() ?? null,
  madeAt: gift.createdAt.toISOString(),
})
