import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'

type FieldProps = {
  label: string
  note?: string
  hint?: string
  error?: string
  children: (control: { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string }) => ReactNode
}

export function Field({ label, note, hint, error, children }: FieldProps) {
  const id = useId()
  const text = error ?? hint
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {note && <span>{note}</span>}
      </label>
      {children({ id, ...(error && { 'aria-invalid': true }), ...(text && { 'aria-describedby': `${id}-text` }) })}
      {error ? (
        <p className="field__error" id={`${id}-text`}>
          <CircleAlert className="icon icon--sm" aria-hidden />
          {error}
        </p>
      ) : (
        hint && (
          <p className="field__hint" id={`${id}-text`}>
            {hint}
          </p>
        )
      )}
    </div>
  )
}
