import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Ban, Check, Clock, Undo2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { call } from '../../kit/call.client.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { findLicenses, type SoldLicense } from './soldLicenses.contract.ts'

const DecideDialog = lazyDialog(() => import('./DecideDialog.tsx'), 'DecideDialog')

const BADGES = {
  active: ['active', Check, 'Active'],
  expired: ['neutral', Clock, 'Expired'],
  revoked: ['failed', Ban, 'Revoked'],
  frozen: ['pending', Clock, 'Closed for now'],
  ended: ['refunded', Undo2, 'Refunded'],
} as const

export function SoldLicenses({ productId }: { productId: string }) {
  const [typed, setTyped] = useState('')
  const [q, setQ] = useState('')
  const [chosen, setChosen] = useState<SoldLicense | null>(null)
  const cache = useQueryClient()
  const list = ['licenses', productId]
  // a POST, so that no access log contains a key
  const { data, isError, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: [...list, q],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after }) => call(findLicenses, { id: productId, q, ...(after && { after }) }),
    getNextPageParam: ({ hasMore, licenses }) => (hasMore ? licenses.at(-1)?.id : undefined),
  })
  const rows = data?.pages.flatMap(({ licenses }) => licenses)
  const search = (event: FormEvent) => {
    event.preventDefault()
    setQ(typed.trim())
  }
  return (
    <section className="card stack gap-4" aria-label="Keys sold">
      <h2 className="text-18">Keys sold</h2>
      <form className="row" role="search" onSubmit={search}>
        <div className="grow">
          <Field label="Order number or licence key">
            {(control) => (
              <input
                className="input"
                type="search"
                autoComplete="off"
                maxLength={200}
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
                {...control}
              />
            )}
          </Field>
        </div>
        <Button type="submit">Find</Button>
      </form>
      {isError ? (
        <ErrorState title="Couldn’t load the keys" onRetry={() => void refetch()} />
      ) : !rows ? (
        <Skeleton height="6rem" />
      ) : rows.length === 0 ? (
        <p role="status">No key of this product fits. Paste a whole key, or the number of an order.</p>
      ) : (
        <ul className="list">
          {rows.map((license) => (
            <SoldRow key={license.id} license={license} onDecide={() => setChosen(license)} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button tone="quiet" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
      {chosen && (
        <DecideDialog
          productId={productId}
          license={chosen}
          onClose={() => setChosen(null)}
          onDone={() => void cache.invalidateQueries({ queryKey: list })}
        />
      )}
    </section>
  )
}

function SoldRow({ license, onDecide }: { license: SoldLicense; onDecide: () => void }) {
  const { masked, orderId, state, seats, devices, soldAt, expiresAt, reason } = license
  const [look, Icon, name] = BADGES[state]
  return (
    <li className="list__row row">
      <span className="grow">
        <strong className="text-14 mono wrap-anywhere">{masked}</strong>
        <small className="num">
          Order {orderId.slice(-8)}, {formatDay(soldAt)}
          {seats > 1 && `, ${seats} seats`}, {devices.used} of {devices.limit} devices
          {expiresAt && `, until ${formatDay(expiresAt)}`}
          {reason && <span className="wrap-anywhere">. Revoked: {reason}</span>}
        </small>
      </span>
      <Badge look={look} icon={<Icon className="icon" aria-hidden />}>
        {name}
      </Badge>
      {state !== 'ended' && (
        <Button
          tone={reason ? 'line' : 'bad-line'}
          aria-label={`${reason ? 'Restore' : 'Revoke'} ${masked}`}
          onClick={onDecide}
        >
          {reason ? 'Restore' : 'Revoke'}
        </Button>
      )}
    </li>
  )
}
