import { useQuery, useQueryClient } from '@tanstack/react-query'
import { handleProblem } from '../../catalogue/handle.rules.ts'
import { call } from '../../kit/call.client.ts'
import { keyOf, query } from '../../kit/query/query.client.ts'
import { Dialog, DialogBody, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { useSavedForm } from '../../ui/form/useSavedForm.ts'
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

/** Edits the seller's page, except name and picture, which come from the profile. */
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

const valuesOf = ({ handle, bio }: Storefront) => ({ handle: handle ?? '', bio })

function StorefrontForm({ storefront, onClose }: { storefront: Storefront; onClose: () => void }) {
  const cache = useQueryClient()
  const form = useSavedForm({
    saved: storefront,
    valuesOf,
    problemsOf: (typed) => {
      const wrong = handleProblem(typed.handle)
      return wrong ? { handle: wrong } : {}
    },
    save: async (typed, former) => {
      const saved = await call(saveStorefront, typed)
      cache.setQueryData(storefrontQuery.queryKey, saved)
      const keys = [former.handle ?? '', typed.handle].map((one) => keyOf(getSeller, { handle: one }))
      const seller = cache.getQueryData<Seller>(keys[0]!)
      // writes the cache directly, because a request could return the former text from the server's cache
      for (const key of seller ? keys : []) cache.setQueryData(key, { ...seller, handle: typed.handle, bio: saved.bio })
    },
    onSaved: () => {
      onClose()
      toast({ title: 'Seller page saved', tone: 'good' })
    },
    failure: 'We couldn’t save your seller page. Please try again.',
  })
  const { handle, bio } = form.values
  return (
    <DialogForm noValidate label="Save" isBusy={form.isBusy} onSubmit={form.submit} onCancel={onClose}>
      <Problem>{form.problem}</Problem>
      <Field
        label="Address"
        hint={`/seller/${handle || '…'}. A former address leads to the new one.`}
        error={form.errorOf('handle')}
      >
        {(control) => (
          <input
            {...control}
            {...form.field('handle', {
              onChange: ({ target }) => form.put({ handle: target.value.toLowerCase().replace(/\s+/g, '-') }),
            })}
            className="input"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={30}
          />
        )}
      </Field>
      <Field label="About you" note="optional" hint={`${bio.length} of ${MAX_BIO_LENGTH} characters`}>
        {(control) => (
          <textarea {...control} {...form.field('bio')} className="input" rows={5} maxLength={MAX_BIO_LENGTH} />
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
