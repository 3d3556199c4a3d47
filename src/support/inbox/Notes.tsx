import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { addNote, listNotes } from './team.contract.ts'

export function Notes({ userId }: { userId: string }) {
  const isOwn = useSession().user?.id === userId
  return isOwn ? (
    <p className="muted small">Notes about you are for other members of staff.</p>
  ) : (
    <NotesAbout userId={userId} />
  )
}

function NotesAbout({ userId }: { userId: string }) {
  const cache = useQueryClient()
  const notes = query(listNotes, { userId })
  const { data, isError, refetch } = useQuery({ ...notes, refetchOnMount: 'always' })
  const { mutate, isPending } = useMutation({
    mutationFn: ({ note }: { note: string; form: HTMLFormElement }) => call(addNote, { userId, note }),
    onSuccess: (all, { form }) => {
      cache.setQueryData(notes.queryKey, all)
      form.reset()
    },
    onError: (error) => toastFailure(error, 'We couldn’t save the note. Please try again.'),
  })
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const note = String(new FormData(form).get('note') ?? '').trim()
    if (note) mutate({ note, form })
  }
  return (
    <section className="stack" aria-labelledby="notes">
      <h3 id="notes">Notes of staff</h3>
      {isError && !data && <ErrorState title="Couldn’t load the notes" onRetry={refetch} />}
      {!isError && !data && <Skeleton height="3rem" />}
      {data?.map(({ id, note, author, createdAt }) => (
        <p key={id} className="well small pre-line wrap-anywhere">
          {note}
          <br />
          <span className="muted">
            {author}, {formatMoment(createdAt)}
          </span>
        </p>
      ))}
      <form className="stack gap-2" onSubmit={add}>
        <textarea
          name="note"
          className="input"
          rows={2}
          maxLength={2000}
          aria-label="Note"
          placeholder="Only staff see this"
        />
        <Button type="submit" isBusy={isPending} className="self-start">
          Add note
        </Button>
      </form>
    </section>
  )
}
