import { Field } from '../../ui/form/Field.tsx'
import { Segment } from '../../ui/form/Segment.tsx'

type Opening = 'now' | 'days' | 'day'
const OPENINGS: { value: Opening; label: string }[] = [
  { value: 'now', label: 'At once' },
  { value: 'days', label: 'Days later' },
  { value: 'day', label: 'On a day' },
]

export type OpeningInput = { opening: Opening; days: string; day: string }
type LessonOpeningProps = {
  given: OpeningInput
  problems: { days?: string; day?: string }
  onChange: (next: OpeningInput) => void
}

export function LessonOpening({ given, problems, onChange }: LessonOpeningProps) {
  const change = (part: Partial<OpeningInput>) => onChange({ ...given, ...part })
  return (
    <div className="stack gap-2">
      <strong className="text-14">Opens</strong>
      <Segment label="Opens" options={OPENINGS} value={given.opening} onChange={(opening) => change({ opening })} />
      {given.opening === 'days' && (
        <Field label="Days after the purchase" {...(problems.days && { error: problems.days })}>
          {(control) => (
            <input
              className="input num"
              inputMode="numeric"
              autoComplete="off"
              maxLength={4}
              value={given.days}
              onChange={({ target }) => change({ days: target.value })}
              {...control}
            />
          )}
        </Field>
      )}
      {given.opening === 'day' && (
        <Field label="Day" hint="At midnight in UTC." {...(problems.day && { error: problems.day })}>
          {(control) => (
            <input
              className="input num"
              type="date"
              value={given.day}
              onChange={({ target }) => change({ day: target.value })}
              {...control}
            />
          )}
        </Field>
      )}
    </div>
  )
}
