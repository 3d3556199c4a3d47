import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { call } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { listWallets, removeWallet } from '../wallets.contract.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { toast } from '../../ui/toasts/toast.client.ts'

const wallets = query(listWallets, {})

/** The wallets that the customer let the shop keep, and the way to take that back. */
export function SavedWallets() {
  const cache = useQueryClient()
  const { data, isError, refetch } = useQuery({ ...wallets, refetchOnMount: 'always' })
  const remove = useMutation({
    mutationFn: (id: string) => call(removeWallet, { id }),
    onSuccess: (left) => {
      cache.setQueryData(wallets.queryKey, left)
      toast({ title: 'Wallet removed', description: 'Nothing is charged to it any more, and PayPal is told.' })
    },
    onError: (error) => toastFailure(error, 'The wallet could not be removed. Please try again.'),
  })
  if (isError && !data) return <ErrorState title="Your saved wallets could not be loaded" onRetry={refetch} />
  if (!data) return <Skeleton height="3.5rem" />
  if (data.length === 0)
    return <p className="muted">You have none. The payment window asks whether the shop may keep yours.</p>
  return (
    <ul className="list" aria-label="Your saved wallets">
      {data.map(({ id, label, keptSince }) => (
        <li key={id} className="list__row row--wrap">
          <span className="grow">
            <strong className="wrap-anywhere">{label}</strong>
            <small>Kept since {formatDay(keptSince)}</small>
          </span>
          <Button
            tone="bad-line"
            icon={<Trash2 className="icon" aria-hidden />}
            aria-label={`Remove ${label}`}
            isBusy={remove.isPending && remove.variables === id}
            onClick={() => remove.mutate(id)}
          >
            Remove
          </Button>
        </li>
      ))}
    </ul>
  )
}
