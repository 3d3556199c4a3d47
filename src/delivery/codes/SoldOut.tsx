import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bell, PackageX } from 'lucide-react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { keyOf, query } from '../../kit/query/query.client.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { endWait, getWait, startWait } from './waits.contract.ts'

export function SoldOut({ productId: id }: { productId: string }) {
  const cache = useQueryClient()
  const { data } = useQuery(query(getWait, { id }))
  const isWaiting = data?.isWaiting ?? false
  const change = useMutation({
    mutationFn: () => call(isWaiting ? endWait : startWait, { id }),
    onSuccess: (wait) => cache.setQueryData(keyOf(getWait, { id }), wait),
    onError: (error) => toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t note that. Please try again.'),
  })
  return (
    <div className="stack">
      <Note Icon={PackageX} title="Sold out">
        {isWaiting ? 'We’ll tell you once when it’s back.' : 'Nothing of it is left at the moment.'}
      </Note>
      <Button
        tone="soft"
        icon={<Bell className="icon" aria-hidden />}
        aria-pressed={isWaiting}
        isBusy={change.isPending}
        disabled={!data}
        onClick={() => change.mutate()}
      >
        {isWaiting ? 'Don’t tell me' : 'Tell me when it’s back'}
      </Button>
    </div>
  )
}
