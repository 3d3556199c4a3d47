import { Button } from '../ui/Button.tsx'

/** Warns that several copies of a file are still one file, and leads back to one. */
export const CopiesNote = ({ quantity, onOne }: { quantity: number; onOne: () => void }) =>
  quantity > 1 && (
    <div className="row gap-2">
      <p className="small grow grow--column" role="status">
        You’ll pay for {quantity.toLocaleString('en')} copies but get one file.
      </p>
      <Button onClick={onOne}>Keep one</Button>
    </div>
  )
