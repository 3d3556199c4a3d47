import { Button } from '../ui/Button.tsx'
import type { CartItem } from './cart.contract.ts'

type Copies = Pick<CartItem['product'], 'parts' | 'owned'>
type CopiesNoteProps = { quantity: number; product?: Copies; onOne: () => void }

/** Says what several copies are where one is enough: one for the buyer, each other a gift. With a copy already, all are gifts. */
export const CopiesNote = ({ quantity, product = {}, onOne }: CopiesNoteProps) => (
  <div className="row gap-2">
    <p className="small grow grow--column" role="status">
      {describe(quantity, product)}
    </p>
    {quantity > 1 && <Button onClick={onOne}>Keep one</Button>}
  </div>
)

function describe(quantity: number, { parts, owned }: Copies): string {
  const copies = quantity === 1 ? 'this copy' : 'each copy'
  if (!owned)
    return `One copy is yours. ${quantity === 2 ? 'The other is a gift' : 'Each other is a gift'}, with a link to give away.`
  if (!parts || owned.length === parts.length)
    return `You have it already: ${copies} is a gift, with a link to give away.`
  return `You have ${owned.map((title) => `“${title}”`).join(', ')} already: ${copies} of ${owned.length > 1 ? 'them' : 'it'} is a gift, with a link to give away.`
}
