import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { EyeOff } from 'lucide-react'
import { useState } from 'react'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { call } from '../kit/call.client.ts'
import { query } from '../kit/query/query.client.ts'
import { formatDay } from '../localisation/dates.rules.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { Note } from '../ui/Note.tsx'
import { toast } from '../ui/toasts/toast.client.ts'
import { answerTakeDown, getTakeDown, MOST_WORDS } from './moderation.contract.ts'

/** Tells the seller why staff took the product down, and takes the answer. */
export function TakenDown({ productId }: { productId: string }) {
  const cache = useQueryClient()
  const { queryKey, ...read } = query(getTakeDown, { id: productId })
  const { data } = useQuery({ queryKey, ...read, refetchOnMount: 'always' })
  const [answer, setAnswer] = useState<string | null>(null)
  const [isTried, setTried] = useState(false)
  const text = answer ?? data?.answer ?? ''
  const send = useMutation({
    mutationFn: () => call(answerTakeDown, { id: productId, answer: text }),
    onSuccess: (saved) => {
      cache.setQueryData(queryKey, saved)
      toast({ title: 'Answer sent', description: 'We’ll look at the product again and email you.' })
    },
    onError: (error) => toastFailure(error, 'Failed to send your answer. Please try again.'),
  })
  if (!data) return null
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (text.trim()) send.mutate()
        else event.currentTarget.querySelector('textarea')?.focus()
      }}
    >
      <Note Icon={EyeOff} title={`We took this product off sale on ${formatDay(data.at)}`} className="buy__off">
        {data.why} Your buyers keep what they bought.
      </Note>
      <Field label="Your answer" {...(isTried && !text.trim() && { error: 'Write a few words.' })}>
        {(field) => (
          <textarea
            {...field}
            className="input"
            required
            maxLength={MOST_WORDS}
            value={text}
            onChange={({ target }) => setAnswer(target.value)}
          />
        )}
      </Field>
      <div className="row">
        <Button type="submit" isBusy={send.isPending}>
          {data.answer ? 'Send again' : 'Send answer'}
        </Button>
      </div>
    </form>
  )
}
