import { Field } from '../../ui/form/Field.tsx'

type DollarFieldProps = {
  label: string
  value: string
  error?: string | null | undefined
  hint?: string | null
  onChange: (typed: string) => void
  onLeave: () => void
}

export const DollarField = ({ label, value, error, hint, onChange, onLeave }: DollarFieldProps) => (
  <Field label={label} note="USD" {...(error && { error })} {...(hint && { hint })}>
    {(control) => (
      <div className="affix affix--sign">
        <span className="affix__sign" aria-hidden>
          $
        </span>
        <input
          className="input num"
          inputMode="decimal"
          maxLength={40}
          autoComplete="off"
          value={value}
          onChange={({ target }) => onChange(target.value)}
          onBlur={onLeave}
          {...control}
        />
      </div>
    )}
  </Field>
)
