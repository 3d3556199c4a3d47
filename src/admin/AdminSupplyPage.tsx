import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, Plus, Unplug } from 'lucide-react'
import { useState } from 'react'
import { setSupply, listSupplies, type Supply } from '../delivery/supply/supply.contract.ts'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { call } from '../kit/call.client.ts'
import { isRefusal, reasonOf } from '../kit/failure.ts'
import { query } from '../kit/query/query.client.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyDialog } from '../ui/lazyPart.tsx'
import { Link } from '../ui/Link.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { toast } from '../ui/toasts/toast.client.ts'
import { RowsSkeleton, StaffPage } from './StaffPage.tsx'

const SupplyDialog = lazyDialog(() => import('../delivery/supply/SupplyDialog.tsx'), 'SupplyDialog')
const ConfirmDialog = lazyDialog(() => import('../ui/ConfirmDialog.tsx'), 'ConfirmDialog')
const supplies = query(listSupplies, {})

type SupplyDialogState = { kind: 'edit'; supply: Supply | null } | { kind: 'end'; supply: Supply }
type SupplyInput = { id: string; sku: string | null; minutes?: number }

export function AdminSupplyPage() {
  const cache = useQueryClient()
  const { data, isError, refetch } = useQuery({ ...supplies, refetchOnMount: 'always' })
  const [asked, setAsked] = useState<SupplyDialogState & { isOpen: boolean }>()
  const close = () => setAsked(asked && { ...asked, isOpen: false })
  const { mutate, mutateAsync } = useMutation({
    mutationFn: (wanted: SupplyInput) => call(setSupply, wanted),
    onSuccess: () => cache.invalidateQueries({ queryKey: supplies.queryKey }),
  })
  const ask = (next: SupplyDialogState) => setAsked({ ...next, isOpen: true })
  const end = ({ productId: id }: Supply) =>
    mutate(
      { id, sku: null },
      {
        onSuccess: () => toast({ title: 'Its codes come from the stock again' }),
        onError: (failure) =>
          toastFailure(failure, reasonOf(failure, isRefusal) ?? 'We couldn’t save it. Please try again.'),
      },
    )
  return (
    <StaffPage
      title="Supplier"
      about="Products whose codes are made when they are sold."
      action={
        data?.hasSupplier && (
          <Button icon={<Plus className="icon" aria-hidden />} onClick={() => ask({ kind: 'edit', supply: null })}>
            Connect a product
          </Button>
        )
      }
    >
      {isError && !data ? (
        <ErrorState title="Couldn’t load the products" onRetry={() => void refetch()} />
      ) : !data ? (
        <RowsSkeleton label="Loading the products" />
      ) : data.supplies.length === 0 ? (
        <EmptyState scene="receipt" title={data.hasSupplier ? 'No product is connected' : 'No supplier is set up'}>
          {data.hasSupplier
            ? 'Connect a product that sells codes. The shop then asks the supplier for each code that it sells.'
            : 'Give SUPPLIER_URL and SUPPLIER_TOKEN and start the shop again.'}
        </EmptyState>
      ) : (
        <ul className="list">
          {data.supplies.map((supply) => (
            <li key={supply.productId} className="list__row row--wrap">
              <span className="grow wrap-anywhere">
                <Link className="text-link" href={`/product/${supply.productId}`}>
                  {supply.title}
                </Link>
                <small>
                  {supply.sku}, asked for {supply.minutes} minutes
                  {supply.waiting > 0 && `, ${supply.waiting} waiting`}
                </small>
              </span>
              <span className="row row--nowrap gap-1">
                <IconButton
                  label={`Edit ${supply.title}`}
                  icon={<Pencil className="icon" aria-hidden />}
                  onClick={() => ask({ kind: 'edit', supply })}
                />
                <IconButton
                  label={`Disconnect ${supply.title}`}
                  icon={<Unplug className="icon" aria-hidden />}
                  onClick={() => ask({ kind: 'end', supply })}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
      {data && asked?.kind === 'edit' && (
        <SupplyDialog
          isOpen={asked.isOpen}
          onClose={close}
          supply={asked.supply}
          usualMinutes={data.minutes}
          onSave={(wanted) => mutateAsync(wanted)}
        />
      )}
      {asked?.kind === 'end' && (
        <ConfirmDialog
          isOpen={asked.isOpen}
          onClose={close}
          title={`Disconnect ${asked.supply.title}?`}
          label="Disconnect"
          tone="bad"
          onConfirm={() => end(asked.supply)}
        >
          Its codes come from the stock then. Codes that were asked for still arrive.
        </ConfirmDialog>
      )}
    </StaffPage>
  )
}
