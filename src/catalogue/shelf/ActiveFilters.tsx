import { X } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import type { ActiveFilter } from './active.rules.ts'
import type { Filters } from './shelf.rules.ts'

type ActiveFiltersProps = {
  active: ActiveFilter[]
  typed: ActiveFilter | null
  onAsk: (change: Partial<Filters>) => void
}

/** The filters that are on. `typed` is a price in the words of the search. */
export function ActiveFilters({ active, typed, onAsk }: ActiveFiltersProps) {
  const clear = () => onAsk({ ...ALL_OFF, ...typed?.off })
  if (active.length === 0 && !typed) return null
  return (
    <div className="row gap-2" role="group" aria-label="Active filters">
      {typed && <ActiveChip name={`price ${typed.text}`} text={typed.text} onRemove={() => onAsk(typed.off)} />}
      {active.map(({ text, off }) => (
        <ActiveChip key={text} name={`filter ${text}`} text={text} onRemove={() => onAsk(off)} />
      ))}
      <Button tone="quiet" onClick={clear}>
        Clear
      </Button>
    </div>
  )
}

const ALL_OFF: Partial<Filters> = { price: null, kind: null, stars: null, isAnyStock: false }

const ActiveChip = ({ name, text, onRemove }: { name: string; text: string; onRemove: () => void }) => (
  <button type="button" className="chip chip--on" aria-label={`Remove the ${name}`} onClick={onRemove}>
    {text}
    <X className="icon icon--sm" aria-hidden />
  </button>
)
