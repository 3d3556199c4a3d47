import { useState } from 'react'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { MAX_REPORT, type MessageThread, reportMessages } from './messages.contract.ts'

type ReportMessagesProps = {
  isOpen: boolean
  onClose: () => void
  id: string
  name: string
  onReported: (thread: MessageThread) => void
}

export function ReportMessages({ isOpen, onClose, id, name, onReported }: ReportMessagesProps) {
  const [note, setNote] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      onReported(await call(reportMessages, { id, note }))
      onClose()
      toast({ title: 'Reported', description: 'We read the thread and email you what we decide.', tone: 'good' })
    } catch (error) {
      setProblem(reasonOf(error, isRefusal) ?? 'Failed to send the report. Please try again.')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Report messages of ${name}`}
      description="This also ends the thread. You can open it again."
    >
      <DialogForm label="Send report" isBusy={isBusy} onSubmit={() => void send()} onCancel={onClose}>
        <Field label="What is wrong?">
          {(field) => (
            <textarea
              {...field}
              className="input"
              required
              maxLength={MAX_REPORT}
              value={note}
              onChange={({ target }) => setNote(target.value)}
            />
          )}
        </Field>
        <Problem>{problem}</Problem>
      </DialogForm>
    </Dialog>
  )
}
