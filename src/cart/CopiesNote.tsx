import { Button } from '../ui/Button.tsx'
import { type Copies, describeCopies } from './copies.rules.ts'
type CopiesNoteProps = {
  quantity: number
  product?: Copies
  bundle?: string | undefined
  onOne: () => void
}

export const CopiesNote = ({ quantity, product = {}, bundle, onOne }: CopiesNoteProps) => (
  <div className="row gap-2">
    <p className="small grow grow--column" role="status">
      {describeCopies(quantity, product, bundle)}
    </p>
    {quantity > 1 && <Button onClick={onOne}>Keep one</Button>}
  </div>
)
