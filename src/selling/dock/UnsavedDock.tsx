import '../selling.css'
import { Button } from '../../ui/Button.tsx'

type UnsavedDockProps<Name extends string> = {
  /** The id of the form, if the form is not around the dock. */
  form?: string
  changed: Name[]
  names: Record<Name, string>
  label: string
  isSaving: boolean
  onDiscard: () => void
}

/** Lists the unsaved changes of a form. Saves or discards them. */
export function UnsavedDock<Name extends string>({
  form,
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
        <Button tone="primary" type="submit" form={form} isBusy={isSaving}>
          {label}
        </Button>
      </div>
    </div>
  )
}
