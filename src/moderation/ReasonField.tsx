import { Field } from '../ui/form/Field.tsx'
import { Select } from '../ui/form/Select.tsx'

type ReasonFieldProps = {
  label: string
  reasons: Record<string, string>
  value: string
  onChange: (reason: string) => void
  isMissing: boolean
}

export const ReasonField = ({ label, reasons, value, onChange, isMissing }: ReasonFieldProps) => (
  <Field label={label} {...(isMissing && { error: 'Choose a reason.' })}>
    {(field) => (
      <Select
        {...field}
        required
        placeholder="Choose one"
        options={Object.entries(reasons).map(([value, label]) => ({ value, label }))}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
)
