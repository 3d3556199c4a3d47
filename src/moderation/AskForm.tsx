import { useState } from 'react'
import { plural } from '../localisation/plural.rules.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { Select } from '../ui/form/Select.tsx'
import { ANSWER_DAYS, askSeller } from './moderation.contract.ts'
import { useAct } from './useCases.ts'
import { WordsField } from './WordsField.tsx'

const lengths = ANSWER_DAYS.map((days) => ({ value: String(days), label: plural(days, 'day') }))

export function AskForm({ id, onEnd }: { id: string; onEnd: () => void }) {
  const [message, setMessage] = useState('')
  const [days, setDays] = useState<(typeof ANSWER_DAYS)[number]>(3)
  const [isTried, setTried] = useState(false)
  const ask = useAct(askSeller, 'Question sent')
  return (
    <form
      className="stack gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (message.trim()) ask.mutate({ id, message, days }, { onSuccess: onEnd })
        else event.currentTarget.querySelector('textarea')?.focus()
      }}
    >
      <div className="stack gap-1">
        <h3>Ask the seller first</h3>
        <p className="muted small">
          The seller reads your question and may answer. The product stays on sale meanwhile.
        </p>
      </div>
      <WordsField label="Your question" value={message} onChange={setMessage} isTried={isTried} />
      <Field label="Time to answer">
        {(field) => (
          <Select
            {...field}
            options={lengths}
            value={String(days)}
            onChange={({ target }) => setDays(ANSWER_DAYS.find((one) => String(one) === target.value)!)}
          />
        )}
      </Field>
      <div className="row gap-2">
        <Button type="submit" tone="primary" isBusy={ask.isPending}>
          Send question
        </Button>
        <Button tone="ghost" onClick={onEnd}>
          Back
        </Button>
      </div>
    </form>
  )
}
