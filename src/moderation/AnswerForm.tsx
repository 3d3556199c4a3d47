import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/toasts/toast.client.ts'
import { WordsField } from './WordsField.tsx'

type AnswerFormProps<T> = {
  sent: string | null
  send: (answer: string) => Promise<T>
  onSent: (saved: T) => void
  children: ReactNode
}

export function AnswerForm<T>({ sent, send, onSent, children }: AnswerFormProps<T>) {
  const [answer, setAnswer] = useState<string | null>(null)
  const [isTried, setTried] = useState(false)
  const text = answer ?? sent ?? ''
  const sending = useMutation({
    mutationFn: () => send(text),
    onSuccess: (saved) => {
      onSent(saved)
      toast({ title: 'Answer sent', description: 'We’ll look at the product again and email you.' })
    },
    onError: (error) => toastFailure(error, 'Failed to send your answer. Please try again.'),
  })
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (text.trim()) sending.mutate()
        else event.currentTarget.querySelector('textarea')?.focus()
      }}
    >
      {children}
      <WordsField label="Your answer" value={text} onChange={setAnswer} isTried={isTried} />
      <div className="row">
        <Button type="submit" isBusy={sending.isPending}>
          {sent ? 'Send again' : 'Send answer'}
        </Button>
      </div>
    </form>
  )
}
