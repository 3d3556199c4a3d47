import type { ComponentProps } from 'react'
import { Field } from '../../ui/form/Field.tsx'

type DollarFieldProps = {
  label: string
  error?: string | null | undefined
  hint?: string | null
} & ComponentProps<'input'>

export const DollarField = ({ label, error, hint, ...input }: DollarFieldProps) => (
  <Field label={label} note="USD" {...(error && { error })} {...(hint && { hint })}>
    {(control) => (
      <div className="affix affix--sign">
        <span className="affix__sign" aria-hidden>
          $
        </span>
        <input className="input num" inputMode="decimal" maxLength={40} autoComplete="off" {...input} {...control} />
      </div>
    )}
  </Field>
)
