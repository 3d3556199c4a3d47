import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { useDialog } from '../../ui/useDialog.ts'
import type { Thread } from './inbox.contract.ts'
import { mergeConversations } from './team.contract.ts'
import { useConversations } from './useInbox.ts'

export function Merge({ customer }: { customer: Thread['customer'] }) {
  const cache = useQueryClient()
  const others = useConversations().all.filter(({ userId }) => userId !== customer.userId)
  const [otherId, setOtherId] = useState('')
  const other = others.find(({ userId }) => userId === otherId)
  const confirm = useDialog()
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(mergeConversations, { userId: customer.userId, otherId }),
    onSuccess: async () => {
      setOtherId('')
      toast({ title: 'Merged', description: 'Their messages are in the notes.' })
      await cache.invalidateQueries()
    },
    onError: (error) => toastFailure(error, 'We couldn’t merge the conversations. Please try again.'),
  })
  if (others.length === 0) return null
  return (
    <section className="stack gap-2" aria-labelledby="merge">
      <h3 id="merge">Same person, another account</h3>
      <Select
        aria-label="The other conversation"
        placeholder="Choose a conversation"
        value={other ? otherId : ''}
        options={others.map(({ userId, name, email }) => ({ value: userId, label: `${name}, ${email}` }))}
        onChange={({ target }) => setOtherId(target.value)}
      />
      {other && (
        <Button className="self-start" isBusy={isPending} onClick={confirm.open}>
          Merge
        </Button>
      )}
      {other && confirm.isWanted && (
        <ConfirmDialog {...confirm.props} title="Merge conversations" label="Merge" onConfirm={() => mutate()}>
          What {other.name} ({other.email}) asked last becomes a note here, with its waiting time. Their conversation
          counts as answered. Messages stay with the account that wrote them. This cannot be undone.
        </ConfirmDialog>
      )}
    </section>
  )
}
