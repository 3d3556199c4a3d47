import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { handleProblem } from '../../catalogue/handle.rules.ts'
import { call } from '../../kit/call.client.ts'
import { Failure, isRefusal, reasonOf } from '../../kit/failure.ts'
import { keyOf, query } from '../../kit/query/query.client.ts'
import { Dialog, DialogBody, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Link } from '../../ui/Link.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { DialogProps } from '../../ui/useDialog.ts'
import {
  getSeller,
  getStorefront,
  MAX_BIO_LENGTH,
  saveStorefront,
  type Seller,
  type Storefront,
} from './storefront.contract.ts'

const storefrontQuery = query(getStorefront, {})

/** Edits the seller's page. Name and picture are those of the profile. */
export function StorefrontDialog(dialog: DialogProps) {
  const { data, isError, refetch } = useQuery({ ...storefrontQuery, refetchOnMount: 'always' })
  return (
    <Dialog {...dialog} title="Your seller page" description="Your name and picture come from your profile.">
      {data ? (
        <StorefrontForm storefront={data} onClose={dialog.onClose} />
      ) : (
        <DialogBody>
          {isError ? (
            <ErrorState title="Couldn’t load your seller page" onRetry={() => void refetch()} />
          ) : (
            <Skeleton height="14rem" />
          )}
        </DialogBody>
      )}
    </Dialog>
  )
}

function StorefrontForm({ storefront, onClose }: { storefront: Storefront; onClose: () => void }) {
  const [handle, setHandle] = useState(storefront.handle ?? '')
  const [bio, setBio] = useState(storefront.bio)
  const [isTried, setTried] = useState(false)
  const cache = useQueryClient()
  const save = useMutation({
    mutationFn: () => call(saveStorefront, { handle, bio }),
    onSuccess: (saved) => {
      cache.setQueryData(storefrontQuery.queryKey, saved)
      const keys = [storefront.handle ?? '', handle].map((one) => keyOf(getSeller, { handle: one }))
      const seller = cache.getQueryData<Seller>(keys[0]!)
      // a read could still meet the former text in the server's cache
      for (const key of seller ? keys : []) cache.setQueryData(key, { ...seller, handle, bio: saved.bio })
    },
  })
  const isTaken = save.error instanceof Failure && save.error.status === 409
  const wrong = handleProblem(handle)
  const refused =
    save.error && (reasonOf(save.error, isRefusal) ?? 'We couldn’t save your seller page. Please try again.')
  const error = isTried && wrong ? wrong : isTaken && refused ? refused : undefined
  const submit = () => {
    setTried(true)
    if (wrong) return
    save.mutate(undefined, {
      onSuccess: () => {
        onClose()
        toast({ title: 'Seller page saved', tone: 'good' })
      },
    })
  }
  return (
    <DialogForm noValidate label="Save" isBusy={save.isPending} onSubmit={submit} onCancel={onClose}>
      <Problem>{isTaken ? undefined : (refused ?? undefined)}</Problem>
      <Field
        label="Address"
        hint={`/seller/${handle || '…'}. A former address leads to the new one.`}
        {...(error && { error })}
      >
        {(field) => (
          <input
            {...field}
            className="input"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={30}
            value={handle}
            onChange={({ target }) => {
              setHandle(target.value.toLowerCase().replace(/\s+/g, '-'))
              save.reset()
            }}
          />
        )}
      </Field>
      <Field label="About you" note="optional" hint={`${bio.length} of ${MAX_BIO_LENGTH} characters`}>
        {(field) => (
          <textarea
            {...field}
            className="input"
            rows={5}
            maxLength={MAX_BIO_LENGTH}
            value={bio}
            onChange={({ target }) => setBio(target.value)}
          />
        )}
      </Field>
      {storefront.isOpen ? (
        <p>
          <Link className="text-link" href={`/seller/${storefront.handle}`} onClick={onClose}>
            Open your seller page
          </Link>
        </p>
      ) : (
        <p className="muted small">Your page opens when your first product is on sale.</p>
      )}
    </DialogForm>
  )
}
