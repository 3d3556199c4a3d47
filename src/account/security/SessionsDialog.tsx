import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Laptop, Smartphone, SquareTerminal } from 'lucide-react'
import { serverNow } from '../../kit/clock/clock.client.ts'
import type { Reply } from '../../kit/contract.ts'
import {
  type ActiveSession,
  endOtherSession,
  endOtherSessions,
  listSessions,
} from '../../identity/sessions/session.contract.ts'
import { call } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import { placeOf, seenText } from './sessions.rules.ts'
import type { DialogProps } from '../../ui/useDialog.ts'

const sessions = query(listSessions, {})

export function SessionsDialog(dialog: DialogProps) {
  const cache = useQueryClient()
  const { data, isError, refetch } = useQuery({ ...sessions, refetchOnMount: 'always' })
  const end = useMutation({
    mutationFn: (id: string | null) => (id ? call(endOtherSession, { id }) : call(endOtherSessions, {})),
    onSuccess: (left: Reply<typeof listSessions>) => {
      cache.setQueryData(sessions.queryKey, left)
      toast({ title: 'Signed out', description: 'That device will have to sign in again.' })
    },
    onError: (error) => toastFailure(error, 'We couldn’t sign that device out. Please try again.'),
  })
  return (
    <Dialog {...dialog} title="Active Sessions" description="Devices where you’re signed in.">
      <DialogBody>
        {data ? (
          <ul className="list">
            {data.map((session) => (
              <Row
                key={session.id}
                session={session}
                isBusy={end.isPending && end.variables === session.id}
                onEnd={() => !end.isPending && end.mutate(session.id)}
              />
            ))}
          </ul>
        ) : isError ? (
          <ErrorState title="Couldn’t load the sessions" onRetry={refetch} />
        ) : (
          <Skeleton height="6rem" />
        )}
      </DialogBody>
      <DialogFoot>
        {data && data.length > 1 && (
          <Button
            tone="bad-line"
            isBusy={end.isPending && end.variables === null}
            onClick={() => !end.isPending && end.mutate(null)}
          >
            Sign out all others
          </Button>
        )}
        <Button onClick={dialog.onClose}>Close</Button>
      </DialogFoot>
    </Dialog>
  )
}

type RowProps = { session: ActiveSession; isBusy: boolean; onEnd: () => void }

function Row({ session, isBusy, onEnd }: RowProps) {
  const { device, country, isThis, signedInAt } = session
  const Icon = /iPhone|Android/.test(device) ? Smartphone : device === 'Command line' ? SquareTerminal : Laptop
  return (
    <li className="list__row row--wrap">
      <Icon className="icon" aria-hidden />
      <div className="grow grow--column">
        <strong>{device}</strong>
        <small>
          {[placeOf(country), seenText(session, serverNow(), formatDay), `Signed in ${formatDay(signedInAt)}`]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </div>
      {isThis ? (
        <Badge look="active">This device</Badge>
      ) : (
        <Button isBusy={isBusy} aria-label={`Sign out ${device}`} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </li>
  )
}
