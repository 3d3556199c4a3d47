import { Field } from '../../ui/form/Field.tsx'
import { Segment } from '../../ui/form/Segment.tsx'
import type { PartForm } from './usePartForm.ts'
import type { Opening } from './lesson.rules.ts'

const OPENINGS: { value: Opening; label: string }[] = [
  { value: 'now', label: 'At once' },
  { value: 'days', label: 'Days later' },
  { value: 'day', label: 'On a day' },
]

export function LessonOpening({ form }: { form: PartForm }) {
  const { opening } = form.values
  return (
    <div className="stack gap-2">
      <strong className="text-14">Opens</strong>
      <Segment label="Opens" options={OPENINGS} value={opening} onChange={(next) => form.put({ opening: next })} />
      {opening === 'days' && (
        <Field label="Days after the purchase" error={form.errorOf('days')}>
          {(control) => (
            <input
              className="input num"
              inputMode="numeric"
              autoComplete="off"
              maxLength={4}
              {...control}
              {...form.field('days')}
            />
          )}
        </Field>
      )}
      {opening === 'day' && (
        <Field label="Day" hint="At midnight in UTC." error={form.errorOf('day')}>
          {(control) => <input className="input num" type="date" {...control} {...form.field('day')} />}
        </Field>
      )}
    </div>
  )
}
