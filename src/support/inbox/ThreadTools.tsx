import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../../identity/sessions/useSession.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { storeName } from '../../kit/storeName.client.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { useDialog } from '../../ui/useDialog.ts'
import { getThread, type Thread } from './inbox.contract.ts'
import { fillReply } from './reply.rules.ts'
import { assignConversation, snoozeConversation, suggestReply } from './team.contract.ts'

const RepliesDialog = lazyDialog(() => import('./RepliesDialog.tsx'), 'RepliesDialog')
const SnoozeDialog = lazyDialog(() => import('./SnoozeDialog.tsx'), 'SnoozeDialog')

type ThreadToolsProps = {
  userId: string
  thread: Thread
  onText: (text: string) => void
}

export function ThreadTools({ userId, thread, onText }: ThreadToolsProps) {
  const cache = useQueryClient()
  const { user } = useSession()
  const [replies, snooze] = [useDialog(), useDialog()]
  const act = useMutation({
    mutationFn: (what: () => Promise<unknown>) => what(),
    onSuccess: () => cache.invalidateQueries({ queryKey: query(getThread, { userId }).queryKey }),
    onError: (error) => toastFailure(error, 'That did not work. Please try again.'),
  })
  const suggest = useMutation({
    mutationFn: () => call(suggestReply, { userId }),
    onSuccess: ({ suggestion }) => suggestion && onText(suggestion.text),
    onError: (error) => toastFailure(error, 'We couldn’t ask the assistant. Please try again.'),
  })
  const values = { name: thread.customer.name.split(' ')[0]!, agent: user?.firstName ?? 'Support', store: storeName() }
  return (
    <div className="inbox__tools">
      <Button
        tone="quiet"
        isBusy={act.isPending}
        onClick={() => act.mutate(() => call(assignConversation, { userId, isMine: !thread.isMine }))}
      >
        {thread.isMine ? 'Let go' : 'Take'}
      </Button>
      <Button tone="quiet" aria-haspopup="dialog" onClick={snooze.open}>
        Snooze
      </Button>
      <Button tone="quiet" aria-haspopup="dialog" onClick={replies.open}>
        Replies
      </Button>
      <Button tone="quiet" isBusy={suggest.isPending} onClick={() => suggest.mutate()}>
        Suggest
      </Button>
      {suggest.data && (
        <p className="small muted" role="status">
          {suggest.data.suggestion
            ? 'Suggested by the assistant: check it before you send it.'
            : 'There is nothing to suggest for this question.'}
        </p>
      )}
      {replies.isWanted && (
        <RepliesDialog {...replies.props} fill={(body) => fillReply(body, values)} onText={onText} />
      )}
      {snooze.isWanted && (
        <SnoozeDialog
          {...snooze.props}
          until={thread.snoozedUntil}
          onChoose={(hours) => act.mutate(() => call(snoozeConversation, { userId, hours }))}
        />
      )}
    </div>
  )
}
