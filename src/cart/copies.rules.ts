import { isolateRtl } from '../kit/bidi/isolate.rules.ts'
import type { CartItem } from './cart.contract.ts'

export type Copies = Pick<CartItem['product'], 'parts' | 'owned'>

const GIFT = 'with a link to give away.'

export function describeCopies(quantity: number, { parts, owned }: Copies, bundle?: string): string {
  const copies = quantity === 1 ? 'this copy' : 'each copy'
  if (!owned && bundle !== undefined) return isolateRtl(`You get it in “${bundle}”: ${copies} is a gift, ${GIFT}`)
  if (!owned) return `One copy is yours. ${quantity === 2 ? 'The other is a gift' : 'Each other is a gift'}, ${GIFT}`
  if (!parts || owned.length === parts.length) return `You have it already: ${copies} is a gift, ${GIFT}`
  const names = new Intl.ListFormat('en').format(owned.map((title) => `“${title}”`))
  return isolateRtl(
    owned.length > 1
      ? `You have ${names} already: these copies are gifts, each ${GIFT}`
      : `You have ${names} already: ${copies} of it is a gift, ${GIFT}`,
  )
}
