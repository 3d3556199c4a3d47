import { Button } from '../ui/Button.tsx'
import { type Copies, describeCopies } from './copies.rules.ts'
type CopiesNoteProps = {
  quantity: number
  product?: Copies
  /** Title of a bundle in the same cart that contains the product. */
  bundle?: string | undefined
  onOne: () => void
}

/** Says what several copies are where one is enough: one for the buyer, each other a gift. With a copy already, all are gifts. */
export const CopiesNote = ({ quantity, product = {}, bundle, onOne }: CopiesNoteProps) => (
  <div className="row gap-2">
    <p className="small grow grow--column" role="status">
      {describeCopies(quantity, product, bundle)}
    </p>
    {quantity > 1 && <Button onClick={onOne}>Keep one</Button>}
  </div>
)
