import { Button } from '../ui/Button.tsx'

type CopiesNoteProps = { quantity: number; isOwned?: boolean | undefined; onOne: () => void }

/** Says what several copies of a file are: one for the buyer, each other a gift. With a copy already, all are gifts. */
export const CopiesNote = ({ quantity, isOwned, onOne }: CopiesNoteProps) => (
  <div className="row gap-2">
    <p className="small grow grow--column" role="status">
      {isOwned
        ? `You have it already: ${quantity === 1 ? 'this copy is a gift' : 'each copy is a gift'}, with a link to give away.`
        : `One copy is yours. ${quantity === 2 ? 'The other is a gift' : 'Each other is a gift'}, with a link to give away.`}
    </p>
    {quantity > 1 && <Button onClick={onOne}>Keep one</Button>}
  </div>
)
