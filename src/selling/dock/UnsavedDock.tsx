import '../selling.css'
import { Button } from '../../ui/Button.tsx'

type UnsavedDockProps<Name extends string> = {
  changed: Name[]
  names: Record<Name, string>
  label: string
  isSaving: boolean
  onDiscard: () => void
}

/** Lists the unsaved changes of the form around it. Saves or discards them. */
export function UnsavedDock<Name extends string>({
  changed,
  names,
  label,
  isSaving,
  onDiscard,
}: UnsavedDockProps<Name>) {
  const isDirty = changed.length > 0
  return (
    <div className="dock" role="region" aria-label="Unsaved changes">
      <p role="status">
        <strong>{isDirty ? `Unsaved changes: ${changed.length}` : 'Nothing typed yet'}</strong>
        <small>{changed.map((name) => names[name]).join(', ')}</small>
      </p>
      <div className="dock__do">
        {isDirty && (
          <Button tone="ghost" disabled={isSaving} onClick={onDiscard}>
            Discard
          </Button>
        )}
        <Button tone="primary" type="submit" isBusy={isSaving}>
          {label}
        </Button>
      </div>
    </div>
  )
}
