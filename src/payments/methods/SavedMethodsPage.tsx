import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, ChevronLeft, Plus, Trash2, Wallet } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call, isMissing } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { deviceStorage } from '../../kit/storage.client.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { BrowseProducts, Link } from '../../ui/Link.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { useDialog } from '../../ui/useDialog.ts'
import { addLabel } from '../methods.ts'
import { listWallets, removeWallet } from '../wallets.contract.ts'
import {
  addMethod,
  chooseMethod,
  finishAdding,
  type MethodChoice,
  type Methods,
  type SavedMethod,
} from './methods.contract.ts'
import { methodsQuery, useMethods } from './useMethods.ts'

const ConfirmDialog = lazyDialog(() => import('../../ui/ConfirmDialog.tsx'), 'ConfirmDialog')

export const firstView = () => [methodsQuery]

const ABOUT = 'Quick Buy and Buy Now charge a saved method at once. The shop keeps no card number and no password.'

export function SavedMethodsPage() {
  const { data, isError, refetch } = useMethods(true)
  return (
    <div className="section gap-6">
      <div className="stack gap-1">
        <Link className="link self-start" href="/profile">
          <ChevronLeft className="icon" aria-hidden />
          Profile
        </Link>
        <PageHead title="Payment methods" about={ABOUT} />
      </div>
      {data ? (
        <SavedMethods data={data} />
      ) : isError ? (
        <ErrorState title="Couldn’t load your payment methods" onRetry={refetch} />
      ) : (
        <div role="status" aria-label="Loading your payment methods">
          <Skeleton className="skeleton--card" height="7rem" />
        </div>
      )}
    </div>
  )
}

function SavedMethods({ data }: { data: Methods }) {
  const { saved, methods, choice } = data
  const cache = useQueryClient()
  const question = useDialog()
  const [leaving, setLeaving] = useState<SavedMethod>()
  const labelOf = (method: string) => methods.find(({ name }) => name === method)?.label ?? method

  const makeDefault = useMutation({
    mutationFn: (chosen: MethodChoice) => call(chooseMethod, chosen),
    onSuccess: (next) => cache.setQueryData(methodsQuery.queryKey, next),
    onError: (error) => toastFailure(error, 'The default could not be changed. Please try again.'),
  })
  const remove = useMutation({
    mutationFn: ({ id }: SavedMethod) => call(removeWallet, { id }),
    onSuccess: (left, { method }) => {
      cache.setQueryData(keyOf(listWallets, {}), left)
      toast({
        title: 'Payment method removed',
        description: `The shop can’t charge it any more, and ${labelOf(method)} is told.`,
      })
    },
    onError: (error) => toastFailure(error, 'The payment method could not be removed. Please try again.'),
    onSettled: () => cache.invalidateQueries({ queryKey: methodsQuery.queryKey }),
  })

  useAdded(methods)
  if (saved.length === 0)
    return (
      <div className="card">
        <EmptyState
          scene="receipt"
          title="No saved payment methods"
          action={methods.some(({ canAdd }) => canAdd) ? <AddMethods methods={methods} /> : <BrowseProducts />}
        >
          A method is saved when you pay with it and allow the shop to keep it. Nothing is charged without your press.
        </EmptyState>
      </div>
    )
  return (
    <>
      <ul className="list" aria-label="Saved payment methods">
        {saved.map((one) => (
          <MethodRow
            key={one.id}
            saved={one}
            method={labelOf(one.method)}
            isDefault={choice.method === one.method && choice.walletId === one.id}
            isChoosing={makeDefault.isPending && makeDefault.variables.walletId === one.id}
            isRemoving={remove.isPending && remove.variables.id === one.id}
            onChoose={() => makeDefault.mutate({ method: one.method, walletId: one.id })}
            onRemove={() => {
              setLeaving(one)
              question.open()
            }}
          />
        ))}
      </ul>
      <AddMethods methods={methods} />
      <p className="muted small">
        A method is also saved when you pay with it and allow the shop to keep it. The default is offered first when you
        pay.
      </p>
      {question.isWanted && leaving && (
        <ConfirmDialog
          {...question.props}
          title="Remove this payment method?"
          label="Remove"
          tone="bad"
          onConfirm={() => remove.mutate(leaving)}
        >
          The shop can’t charge <b className="wrap-anywhere">{leaving.label}</b> any more. Orders that you have paid
          stay as they are.
        </ConfirmDialog>
      )}
    </>
  )
}

type MethodRowProps = {
  saved: SavedMethod
  /** The provider's name or the kind of payment. */
  method: string
  isDefault: boolean
  isChoosing: boolean
  isRemoving: boolean
  onChoose: () => void
  onRemove: () => void
}

const MethodRow = ({ saved, method, isDefault, isChoosing, isRemoving, onChoose, onRemove }: MethodRowProps) => (
  <li className="list__row row--wrap">
    <Wallet className="icon" aria-hidden />
    <span className="grow">
      <strong className="wrap-anywhere">{saved.label}</strong>
      <small>
        {method}, saved since {formatDay(saved.keptSince)}
      </small>
    </span>
    {isDefault ? (
      <Badge look="active" icon={<Check className="icon" aria-hidden />}>
        Default
      </Badge>
    ) : (
      <Button tone="quiet" aria-label={`Make default: ${saved.label}`} isBusy={isChoosing} onClick={onChoose}>
        Make default
      </Button>
    )}
    <Button
      tone="bad-line"
      icon={<Trash2 className="icon" aria-hidden />}
      aria-label={`Remove ${saved.label}`}
      isBusy={isRemoving}
      onClick={onRemove}
    >
      Remove
    </Button>
  </li>
)

const ADDING = 'adding-method'

function AddMethods({ methods }: Pick<Methods, 'methods'>) {
  const add = useMutation({
    mutationFn: (method: string) => call(addMethod, { method }),
    onSuccess: ({ url, ref }, method) => {
      // store the reference: the provider's page returns only the status
      deviceStorage.writeJson(ADDING, { method, ref })
      location.assign(url)
    },
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'The page to add one didn’t open. Please try again.'),
  })
  return methods
    .filter(({ canAdd }) => canAdd)
    .map(({ name }) => (
      <Button
        key={name}
        className="self-start"
        icon={<Plus className="icon" aria-hidden />}
        isBusy={(add.isPending || add.isSuccess) && add.variables === name}
        aria-disabled={add.isPending || add.isSuccess || undefined}
        onClick={() => (add.isIdle || add.isError ? add.mutate(name) : undefined)}
      >
        {addLabel(name)}
      </Button>
    ))
}

function useAdded(methods: Methods['methods']) {
  const [search, setSearch] = useSearchParams()
  const cache = useQueryClient()
  const added = search.get('added')
  const method = methods.find(({ name, canAdd }) => canAdd && name === added)?.name
  const finish = useEffectEvent(async (asked: { method: string; ref: string }) => {
    try {
      cache.setQueryData(methodsQuery.queryKey, await call(finishAdding, asked))
      toast({ title: 'Payment method saved', description: 'Nothing was charged.' })
    } catch (error) {
      toastFailure(error, 'The payment method is not saved yet. Load this page again.')
      if (!isMissing(error)) return
    }
    deviceStorage.write(ADDING, null)
    setSearch({}, { replace: true })
  })
  const lose = useEffectEvent(() => {
    toast({ title: 'The payment method was not saved', description: 'Please add it again.' })
    setSearch({}, { replace: true })
  })
  useEffect(() => {
    const adding = deviceStorage.readJson(ADDING) as { method: string; ref: string } | null
    if (method && adding?.method === method) void finish(adding)
    else if (method) lose()
  }, [method])
}
