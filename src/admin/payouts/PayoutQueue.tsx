import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { serverNow } from '../../kit/clock/clock.client.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { toCents } from '../../kit/money.ts'
import { pagesOf } from '../../kit/query/list.client.ts'
import { useList } from '../../kit/query/useList.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import {
  approvePayouts,
  listQueuedPayouts,
  MAX_AT_ONCE,
  type Queue,
  type QueuedPayout,
} from '../../payments/payouts/payouts.contract.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { useDialog } from '../../ui/useDialog.ts'
import { Found } from '../StaffSearch.tsx'
import { describeLast, describeSeller } from './payoutWords.rules.ts'

const MarkDialog = lazyDialog(() => import('./MarkDialog.tsx'), 'MarkDialog')

const EMPTY: Record<Queue, string> = {
  waiting: 'No payouts are waiting',
  underway: 'Nothing is under way',
  ended: 'No payouts yet',
}

export function PayoutQueue({ queue }: { queue: Queue }) {
  const list = useList({ ...pagesOf(listQueuedPayouts, { queue }), refetchOnMount: 'always' })
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const dialog = useDialog()
  const refresh = useRefresh()
  const approve = useApproval(refresh, () => setPicked(new Set()))
  const able = list.items.filter(
    (payout) => !payout.isOwn && !payout.first?.isOwn && (queue !== 'waiting' || !payout.hold),
  )
  const chosen = able.filter(({ id }) => picked.has(id)).slice(0, MAX_AT_ONCE)
  const sum = chosen.reduce((cents, { amount }) => cents + toCents(amount), 0)
  const pick = (id: string) => {
    const next = new Set(picked)
    if (!next.delete(id)) next.add(id)
    setPicked(next)
  }
  return (
    <>
      {list.items.length > 0 && (
        <QueueBar
          queue={queue}
          total={list.total}
          able={able.length}
          chosen={chosen.length}
          sum={sum}
          isApproving={approve.isPending}
          onChooseAll={() => setPicked(new Set(chosen.length > 0 ? [] : able.map(({ id }) => id)))}
          onMark={dialog.open}
          onApprove={() => approve.mutate(chosen.map(({ id }) => id))}
        />
      )}
      <Found
        list={list}
        name="the payouts"
        more="Show more"
        empty={<EmptyState scene="receipt" title={EMPTY[queue]} />}
      >
        <ul className="list">
          {list.items.map((payout) => (
            <PayoutRow
              key={payout.id}
              payout={payout}
              isAble={able.includes(payout)}
              isPicked={picked.has(payout.id)}
              onPick={() => pick(payout.id)}
            />
          ))}
        </ul>
      </Found>
      {dialog.isWanted && (
        <MarkDialog
          {...dialog.props}
          ids={chosen.map(({ id }) => id)}
          sum={usd(sum)}
          isRequest={queue === 'waiting'}
          onDone={() => {
            setPicked(new Set())
            void refresh()
          }}
        />
      )}
    </>
  )
}

type QueueBarProps = {
  queue: Queue
  total: number
  /** Numbers of payouts that staff can select and have selected. */
  able: number
  chosen: number
  sum: number
  isApproving: boolean
  onChooseAll: () => void
  onMark: () => void
  onApprove: () => void
}

const QueueBar = ({ queue, total, able, chosen, sum, isApproving, onChooseAll, onMark, onApprove }: QueueBarProps) => (
  <div className="row row--between" role="status">
    <span className="muted small num">
      {chosen > 0
        ? `${chosen} chosen, ${usd(sum)}`
        : `${plural(total, 'payout')}${queue === 'waiting' ? ', the oldest first' : ''}`}
    </span>
    <span className="row gap-2">
      {able > 0 && (
        <Button tone="quiet" onClick={onChooseAll}>
          {chosen > 0 ? 'Choose none' : able === 1 ? 'Choose all' : `Choose all ${able.toLocaleString('en')}`}
        </Button>
      )}
      {chosen > 0 && <Button onClick={onMark}>{queue === 'waiting' ? 'Decline' : 'Mark'}</Button>}
      {chosen > 0 && queue === 'waiting' && (
        <Button tone="primary" isBusy={isApproving} onClick={onApprove}>
          Approve {chosen}
        </Button>
      )}
    </span>
  </div>
)

function useApproval(refresh: () => Promise<unknown>, onApproved: () => void) {
  return useMutation({
    mutationFn: (ids: string[]) => call(approvePayouts, { ids }),
    onSuccess: async ({ approved, waiting, skipped }) => {
      const description = [
        waiting > 0 && `${waiting} wait for the approval of another member of staff.`,
        skipped > 0 && `${skipped} can’t be sent now; each row shows the reason.`,
      ]
        .filter(Boolean)
        .join(' ')
      toast({ title: `${approved} approved`, ...(description && { description }) })
      onApproved()
      await refresh()
    },
    onError: async (error) => {
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t approve them. Please try again.')
      await refresh()
    },
  })
}

function useRefresh() {
  const cache = useQueryClient()
  return () =>
    cache.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/admin/payouts') })
}

const HOLDS: Record<string, string> = {
  details_missing: 'No payout details',
  details_rejected: 'Details were refused',
  details_new: 'New details, waits 24 hours',
  suspended: 'Seller is suspended',
  method_missing: 'This shop does not pay that way',
}
const FIRST = { approved: 'Approved', failed: 'Marked as failed', returned: 'Marked as returned' }
const STATES = {
  requested: ['pending', 'Waiting'],
  approved: ['pending', 'Approved'],
  processing: ['pending', 'Under way'],
  sent: ['active', 'Sent'],
  failed: ['failed', 'Failed'],
  returned: ['failed', 'Returned'],
} as const

type PayoutRowProps = { payout: QueuedPayout; isAble: boolean; isPicked: boolean; onPick: () => void }

function PayoutRow({ payout, isAble, isPicked, onPick }: PayoutRowProps) {
  const { seller, amount, state, to, hold, reason, createdAt, dueAt, endedAt, isOwn, first } = payout
  const [look, name] = STATES[state]
  const isLate = state === 'requested' && Date.parse(dueAt) < serverNow()
  const why = isOwn ? 'Yours: another member of staff decides' : hold && (HOLDS[hold] ?? hold)
  return (
    <li className="list__row row--wrap">
      <label className="check grow grow--column wrap-anywhere">
        <input type="checkbox" checked={isPicked && isAble} disabled={!isAble} onChange={onPick} />
        <span className="grow grow--column">
          <strong>{seller}</strong>
          {to && <small>{to}</small>}
          <small>
            {endedAt ? `Ended ${formatDay(endedAt)}` : `Asked ${formatDay(createdAt)}, promised by ${formatDay(dueAt)}`}
          </small>
          <small>{describeSeller(payout.about)}</small>
          {payout.about.last.length > 0 && <small>{describeLast(payout.about.last)}</small>}
          {first && (
            <small>
              {FIRST[first.act]} by {first.isOwn ? 'you' : first.by}. A second member of staff confirms it.
            </small>
          )}
          {(why ?? reason) && <small>{why ?? reason}</small>}
        </span>
      </label>
      <span className="money">{usd(toCents(amount))}</span>
      <Badge look={isLate ? 'failed' : why ? 'setup' : look}>{isLate ? 'Late' : why ? 'Held' : name}</Badge>
    </li>
  )
}
