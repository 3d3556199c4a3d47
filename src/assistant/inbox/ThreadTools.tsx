import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import type { FormEvent } from 'react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { storeName } from '../../kit/storeName.client.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { getThread, type Thread } from './inbox.contract.ts'
import { fillReply } from './reply.rules.ts'
import {
  assignConversation,
  listReplies,
  LONGEST_TAG,
  saveReply,
  snoozeConversation,
  SNOOZES,
  suggestReply,
  tagConversation,
} from './team.contract.ts'

type ThreadToolsProps = {
  userId: string
  thread: Thread
  /** Puts a text into the field of the reply. */
  onText: (text: string) => void
}

/** What an agent does beside answering: take, snooze, tag, and texts to begin with. */
export function ThreadTools({ userId, thread, onText }: ThreadToolsProps) {
  const cache = useQueryClient()
  const { user } = useSession()
  const { data: replies = [] } = useQuery(query(listReplies, {}))
  const refresh = () => cache.invalidateQueries({ queryKey: query(getThread, { userId }).queryKey })
  const act = useMutation({
    mutationFn: (what: () => Promise<unknown>) => what(),
    onSuccess: refresh,
    onError: (error) => toastFailure(error, 'That did not work. Please try again.'),
  })
  const suggest = useMutation({
    mutationFn: () => call(suggestReply, { userId }),
    onSuccess: ({ suggestion }) => suggestion && onText(suggestion.text),
    onError: (error) => toastFailure(error, 'We couldn’t ask the assistant. Please try again.'),
  })
  const values = { name: thread.customer.name.split(' ')[0]!, agent: user?.firstName ?? 'Support', store: storeName() }
  const textsOf = (event: FormEvent<HTMLFormElement>, ...names: string[]) => {
    event.preventDefault()
    const form = event.currentTarget
    const texts = names.map((name) => String(new FormData(form).get(name) ?? '').trim())
    if (texts.includes('')) return null
    form.reset()
    return texts
  }
  const addTag = (event: FormEvent<HTMLFormElement>) => {
    const [tag] = textsOf(event, 'tag') ?? []
    if (tag) act.mutate(() => call(tagConversation, { userId, tags: [...thread.tags, tag] }))
  }
  const keepReply = (event: FormEvent<HTMLFormElement>) => {
    const [title, body] = textsOf(event, 'title', 'body') ?? []
    if (title && body)
      act.mutate(async () =>
        cache.setQueryData(query(listReplies, {}).queryKey, await call(saveReply, { title, body })),
      )
  }
  return (
    <div className="inbox__tools">
      <Button
        isBusy={act.isPending}
        onClick={() => act.mutate(() => call(assignConversation, { userId, isMine: !thread.isMine }))}
      >
        {thread.isMine ? 'Let go' : 'Take'}
      </Button>
      {thread.assignee && !thread.isMine && <Badge>{thread.assignee.name} answers</Badge>}
      <Select
        aria-label="Snooze"
        value=""
        placeholder={thread.snoozedUntil ? `Until ${formatMoment(thread.snoozedUntil)}` : 'Snooze'}
        options={[
          ...SNOOZES.map((hours) => ({ value: String(hours), label: hours < 24 ? `${hours} h` : `${hours / 24} d` })),
          ...(thread.snoozedUntil ? [{ value: '0', label: 'Wake now' }] : []),
        ]}
        onChange={({ target }) => act.mutate(() => call(snoozeConversation, { userId, hours: Number(target.value) }))}
      />
      <Select
        aria-label="Canned reply"
        value=""
        placeholder="Replies"
        options={replies.map(({ id, title }) => ({ value: id, label: title }))}
        onChange={({ target }) => {
          const reply = replies.find(({ id }) => id === target.value)
          if (reply) onText(fillReply(reply.body, values))
        }}
      />
      <Button
        icon={<Sparkles className="icon" aria-hidden />}
        isBusy={suggest.isPending}
        onClick={() => suggest.mutate()}
      >
        Suggest
      </Button>
      {thread.tags.map((tag) => (
        <button
          key={tag}
          type="button"
          className="chip"
          aria-label={`Remove the tag ${tag}`}
          onClick={() =>
            act.mutate(() => call(tagConversation, { userId, tags: thread.tags.filter((one) => one !== tag) }))
          }
        >
          {tag} ×
        </button>
      ))}
      <form onSubmit={addTag}>
        <input name="tag" className="input" aria-label="Add tag" placeholder="Add tag" maxLength={LONGEST_TAG} />
      </form>
      <details className="small">
        <summary>New reply</summary>
        <form className="stack gap-2" onSubmit={keepReply}>
          <input name="title" className="input" aria-label="Title of the reply" placeholder="Title" maxLength={80} />
          <textarea
            name="body"
            className="input"
            rows={3}
            aria-label="Text of the reply"
            placeholder="Hi {name}, {agent} of {store} here."
            maxLength={2000}
          />
          <Button type="submit">Save reply</Button>
        </form>
      </details>
      {suggest.data && (
        <p className="small muted" role="status">
          {suggest.data.suggestion
            ? 'Suggested by the assistant: check it before you send it.'
            : 'The assistant is not sure either.'}
        </p>
      )}
    </div>
  )
}
