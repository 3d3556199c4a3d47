import { useMutation, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { FormEvent } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { keyOf, query } from '../../kit/query/query.client.ts'
import { getThread, listConversations } from './inbox.contract.ts'
import { MAX_TAG_LENGTH, MAX_TAGS, tagConversation } from './team.contract.ts'

export function Tags({ userId, tags }: { userId: string; tags: string[] }) {
  const cache = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (next: string[]) => call(tagConversation, { userId, tags: next }),
    onSuccess: () =>
      Promise.all(
        [query(getThread, { userId }).queryKey, keyOf(listConversations, {})].map((queryKey) =>
          cache.invalidateQueries({ queryKey }),
        ),
      ),
    onError: (error) => toastFailure(error, 'We couldn’t save the tags. Please try again.'),
  })
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const tag = String(new FormData(form).get('tag') ?? '').trim()
    if (tag) mutate([...tags, tag], { onSuccess: () => form.reset() })
  }
  return (
    <section className="stack gap-2" aria-labelledby="tags">
      <h3 id="tags">Tags</h3>
      {tags.length > 0 && (
        <p className="row gap-2">
          {tags.map((tag) => (
            <button
              key={tag}
              type="button"
              className="chip wrap-anywhere"
              aria-label={`Remove the tag ${tag}`}
              onClick={() => mutate(tags.filter((one) => one !== tag))}
            >
              {tag}
              <X className="icon icon--sm" aria-hidden />
            </button>
          ))}
        </p>
      )}
      {tags.length < MAX_TAGS && (
        <form onSubmit={add}>
          <input name="tag" className="input" aria-label="Add tag" placeholder="Add tag" maxLength={MAX_TAG_LENGTH} />
        </form>
      )}
    </section>
  )
}
