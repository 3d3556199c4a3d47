import './selling.css'
import { CircleAlert } from 'lucide-react'
import { Button } from '../ui/Button.tsx'

type ChangedElsewhereProps = {
  name: string
  theirs: string
  mine: string
  onTake: () => void
  onKeep: () => void
}

/** Both versions of a field that was also saved in another tab or window. What was typed here stays until one is chosen. */
export const ChangedElsewhere = ({ name, theirs, mine, onTake, onKeep }: ChangedElsewhereProps) => (
  <section className="alert" aria-label={`${name} changed elsewhere`}>
    <CircleAlert className="icon" aria-hidden />
    <div className="alert__text" role="alert">
      <strong>{name} changed elsewhere</strong>
      <p className="clamp-3 wrap-anywhere">Saved there: {theirs}</p>
      <p className="clamp-3 wrap-anywhere">Yours: {mine}</p>
    </div>
    <div className="alert__do">
      <Button onClick={onTake}>Use theirs</Button>
      <Button tone="ghost" onClick={onKeep}>
        Keep mine
      </Button>
    </div>
  </section>
)
