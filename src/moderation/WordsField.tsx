import { Field } from '../ui/form/Field.tsx'
import { MAX_WORDS } from './question.contract.ts'

type WordsFieldProps = {
  label: string
  value: string
  onChange: (words: string) => void
  isTried: boolean
  missing?: string
  most?: number
}

export const WordsField = ({
  label,
  value,
  onChange,
  isTried,
  missing = 'Write a few words.',
  most = MAX_WORDS,
}: WordsFieldProps) => (
  <Field label={label} {...(isTried && !value.trim() && { error: missing })}>
    {(field) => (
      <textarea
        {...field}
        className="input"
        required
        maxLength={most}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
)
