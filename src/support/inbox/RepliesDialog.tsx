import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogBody } from '../../ui/Dialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import starters from './starterReplies.json' with { type: 'json' }
import { deleteReply, listReplies, saveReply } from './team.contract.ts'

async function addStarters() {
  for (const reply of starters) await call(saveReply, reply)
  return call(listReplies, {})
}

type RepliesDialogProps = {
  isOpen: boolean
  onClose: () => void
  fill: (body: string) => string
  onText: (text: string) => void
}

export function RepliesDialog({ isOpen, onClose, fill, onText }: RepliesDialogProps) {
  const cache = useQueryClient()
  const chosen = useRef<string>(null)
  const give = () => {
    if (chosen.current !== null) onText(chosen.current)
    chosen.current = null
  }
  const replies = query(listReplies, {})
  const { data, isError, refetch } = useQuery({ ...replies, refetchOnMount: 'always' })
  const change = useMutation({
    mutationFn: (what: () => Promise<{ id: string; title: string; body: string }[]>) => what(),
    onSuccess: (all) => cache.setQueryData(replies.queryKey, all),
    onError: (error) => toastFailure(error, 'We couldn’t save that. Please try again.'),
  })
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const [title, body] = ['title', 'body'].map((name) => String(new FormData(form).get(name) ?? '').trim())
    if (title && body) change.mutate(() => call(saveReply, { title, body }), { onSuccess: () => form.reset() })
  }
  const [deleted, setDeleted] = useState<{ title: string; body: string } | null>(null)
  const remove = ({ id, title, body }: { id: string; title: string; body: string }) =>
    change.mutate(() => call(deleteReply, { id }), { onSuccess: () => setDeleted({ title, body }) })
  const putBack = (reply: { title: string; body: string }) =>
    change.mutate(() => call(saveReply, reply), { onSuccess: () => setDeleted(null) })
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      onClosed={give}
      title="Replies"
      description="Choose one, then edit it before you send it."
    >
      <DialogBody>
        {isError && !data ? (
          <ErrorState title="Couldn’t load the replies" onRetry={refetch} />
        ) : (
          <ul className="list">
            {data?.map((reply) => (
              <li key={reply.id} className="list__row">
                <button
                  type="button"
                  className="grow inbox__reply"
                  onClick={() => {
                    chosen.current = fill(reply.body)
                    onClose()
                  }}
                >
                  <strong>{reply.title}</strong>
                  <small className="clamp-2">{fill(reply.body)}</small>
                </button>
                <IconButton
                  label={`Delete the reply ${reply.title}`}
                  icon={<Trash2 className="icon" aria-hidden />}
                  onClick={() => remove(reply)}
                />
              </li>
            ))}
          </ul>
        )}
        {deleted && (
          <p className="row row--between small" role="status">
            <span className="wrap-anywhere">“{deleted.title}” was deleted.</span>
            <Button onClick={() => putBack(deleted)}>Undo</Button>
          </p>
        )}
        {!isError && !data && <Skeleton height="3rem" />}
        {data?.length === 0 && (
          <p className="row row--between muted small">
            No replies yet.
            <Button isBusy={change.isPending} onClick={() => change.mutate(addStarters)}>
              Add {starters.length} to start with
            </Button>
          </p>
        )}
        <form className="stack gap-2" onSubmit={add} aria-label="New reply">
          <input
            name="title"
            className="input"
            required
            aria-label="Title of the reply"
            placeholder="Title"
            maxLength={80}
          />
          <textarea
            name="body"
            className="input"
            required
            rows={3}
            aria-label="Text of the reply"
            placeholder="Hi {name}, {agent} of {store} here."
            maxLength={2000}
          />
          <p className="small muted">
            {'{name}, {agent} and {store} become the customer, you and the store. The same title replaces a reply.'}
          </p>
          <Button type="submit" className="self-start" isBusy={change.isPending}>
            Save reply
          </Button>
        </form>
      </DialogBody>
    </Dialog>
  )
}
