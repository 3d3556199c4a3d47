import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { MAX_WORDS, reportCode } from './cases.contract.ts'
import { CASE_REASONS, type CaseReason, REASON_NAMES } from './cases.rules.ts'
import type { CodeReport } from './report.contract.ts'

const reasons = CASE_REASONS.map((value) => ({ value, label: REASON_NAMES[value] }))

type ReportCodeProps = {
  line: { id: string; lineId: string }
  codeId: string
  onReported: (report: CodeReport) => void
  onCancel: () => void
}

export function ReportCode({ line, codeId, onReported, onCancel }: ReportCodeProps) {
  const [reason, setReason] = useState<CaseReason>()
  const [note, setNote] = useState('')
  const [isTried, setTried] = useState(false)
  const { mutate, isPending } = useMutation({
    mutationFn: (why: CaseReason) => call(reportCode, { ...line, codeId, reason: why, note: note.trim() }),
    onSuccess: onReported,
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t send your report. Please try again.'),
  })
  return (
    <form
      className="well stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (reason && !isPending) mutate(reason)
      }}
    >
      <Field
        label="What is wrong with it?"
        hint="The seller answers with another code or your money. Without an answer our staff decide."
        {...(isTried && !reason && { error: 'Choose what is wrong.' })}
      >
        {(control) => (
          <Select
            {...control}
            placeholder="Choose one"
            options={reasons}
            value={reason ?? ''}
            onChange={({ target }) => setReason(target.value as CaseReason)}
          />
        )}
      </Field>
      <Field label="What happened?" note="optional" hint="Don’t write the code: the seller knows which one it is.">
        {(control) => (
          <textarea
            {...control}
            className="input"
            maxLength={MAX_WORDS}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        )}
      </Field>
      <div className="row">
        <Button tone="soft" type="submit" isBusy={isPending}>
          Send report
        </Button>
        <Button tone="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
