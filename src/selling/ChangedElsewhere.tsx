import { CircleAlert } from 'lucide-react'
import type { Category } from '../catalogue/catalogue.contract.ts'
import { Button } from '../ui/Button.tsx'
import { FIELD_NAMES, type FieldName } from './edit.rules.ts'

type ChangedElsewhereProps = {
  name: FieldName
  theirs: string | null
  mine: string | null
  categories: Category[]
  onTake: () => void
  onKeep: () => void
}

/** Both versions of a field that was also saved in another tab or window. What was typed here stays until one is chosen. */
export function ChangedElsewhere({ name, theirs, mine, categories, onTake, onKeep }: ChangedElsewhereProps) {
  const say = (value: string | null) => {
    if (name === 'imageUrl') return value ? 'another picture' : 'no picture'
    if (name === 'categoryId') return categories.find(({ id }) => id === value)?.name
    return `${name === 'price' ? '$' : ''}${value || '(empty)'}`
  }
  return (
    <section className="alert" aria-label={`${FIELD_NAMES[name]} changed elsewhere`}>
      <CircleAlert className="icon" aria-hidden />
      <div className="alert__text" role="alert">
        <strong>{FIELD_NAMES[name]} changed elsewhere</strong>
        <p className="clamp-3 wrap-anywhere">Saved there: {say(theirs)}</p>
        <p className="clamp-3 wrap-anywhere">Yours: {say(mine)}</p>
      </div>
      <div className="alert__do">
        <Button onClick={onTake}>Use theirs</Button>
        <Button tone="ghost" onClick={onKeep}>
          Keep mine
        </Button>
      </div>
    </section>
  )
}
