import { useId } from 'react'
import { Button } from '../../ui/Button.tsx'

type ColorFieldProps = {
  label: string
  value: string | null
  /** Shown in the picker before a colour is chosen. */
  usual: string
  hint: string
  onChange: (color: string | null) => void
}

/** The browser's colour picker. Null is the colour of the shop. */
export function ColorField({ label, value, usual, hint, onChange }: ColorFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        <span>optional</span>
      </label>
      <span className="row">
        <input
          id={id}
          type="color"
          className="color-input"
          aria-describedby={`${id}-hint`}
          value={value ?? usual}
          onChange={({ target }) => onChange(target.value)}
        />
        {value === null ? (
          <span className="muted small">The color of the shop</span>
        ) : (
          <>
            <span className="mono small">{value}</span>
            <Button tone="quiet" aria-label={`Remove: ${label}`} onClick={() => onChange(null)}>
              Remove
            </Button>
          </>
        )}
      </span>
      <p className="field__hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  )
}
