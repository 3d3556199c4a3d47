import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { FoundOrders, FoundSkeleton } from './FoundOrders.tsx'
import { useFoundOrders } from './useAdminOrders.ts'
import { ORDER_STATUSES, type OrderStatus } from '../../orders/orders.contract.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { AdminNav } from '../AdminNav.tsx'
import { StaffGate } from '../../identity/StaffGate.tsx'

const statuses = [
  { value: 'all', label: 'All' },
  ...ORDER_STATUSES.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) })),
]
const readStatus = (text: string | null): OrderStatus | undefined => ORDER_STATUSES.find((status) => status === text)

/** Finds any order. The URL holds the search. */
export function AdminOrdersPage() {
  const [search, setSearch] = useSearchParams()
  const [q, status] = [search.get('q') ?? '', readStatus(search.get('status'))]
  const found = useFoundOrders(q, status)
  const { orders } = found
  const look = (next: { q?: string; status?: OrderStatus | undefined }) => {
    const asked = Object.entries({ q, status, ...next }).filter((entry): entry is [string, string] => Boolean(entry[1]))
    setSearch(new URLSearchParams(asked), { replace: true })
  }
  return (
    <StaffGate nav={<AdminNav />}>
      <div className="section gap-4">
        <AdminNav />
        <PageHead
          title="Customers’ orders"
          about="Everybody’s, newest first. Open one to see all of it, or to refund it."
        />
        <Finder key={q} q={q} status={status} onLook={look} />
        {found.isError && !orders ? (
          <ErrorState
            title="Couldn’t load the orders"
            onRetry={() => void found.refetch()}
            isRetrying={found.isFetching}
          />
        ) : !orders ? (
          <FoundSkeleton />
        ) : orders.length === 0 ? (
          <EmptyState scene="ticket" title="No orders">
            {q || status
              ? 'Nothing matches. Try the order or payment number, the start of an email address, or a word from the product’s title.'
              : 'Orders from customers will show up here.'}
          </EmptyState>
        ) : (
          <>
            <FoundOrders orders={orders} from={`/admin/orders?${search}`} />
            {found.hasNextPage && (
              <Button
                className="self-center"
                isBusy={found.isFetchingNextPage}
                onClick={() => void found.fetchNextPage()}
              >
                Show earlier orders
              </Button>
            )}
          </>
        )}
      </div>
    </StaffGate>
  )
}

type FinderProps = {
  q: string
  status: OrderStatus | undefined
  onLook: (next: { q?: string; status?: OrderStatus | undefined }) => void
}

function Finder({ q, status, onLook }: FinderProps) {
  const [typed, setTyped] = useState(q)
  const find = (event: FormEvent) => {
    event.preventDefault()
    onLook({ q: typed.trim() })
  }
  return (
    <form className="finder" role="search" onSubmit={find}>
      <div className="finder__query">
        <Field label="Number, email or product">
          {(field) => (
            <input
              {...field}
              className="input"
              type="search"
              placeholder="Order or payment number…"
              enterKeyHint="search"
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              maxLength={254}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
      </div>
      <div>
        <Field label="Status">
          {(field) => (
            <Select
              {...field}
              options={statuses}
              value={status ?? 'all'}
              onChange={({ target }) => onLook({ q: typed.trim(), status: readStatus(target.value) })}
            />
          )}
        </Field>
      </div>
      <Button type="submit">Find</Button>
    </form>
  )
}
