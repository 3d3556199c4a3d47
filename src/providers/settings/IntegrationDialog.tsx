import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { DialogProps } from '../../ui/useDialog.ts'
import type { Integration } from '../integrations.contract.ts'
import { listWallets, removeWallet } from '../../payments/wallets.contract.ts'

const CryptoGuide = lazyPart(() => import('../usdc/CryptoGuide.tsx'), 'CryptoGuide', <Skeleton height="8rem" />)

const PAYPAL_SETTINGS = ['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID', 'PAYPAL_ENVIRONMENT=live']
const STRIPE_SETTINGS = ['STRIPE_SECRET_KEY=sk_live_…', 'STRIPE_WEBHOOK_SECRET=whsec_…']
const wallets = query(listWallets, {})
const AWAY = 'The last check got no response, or our credentials were rejected. Payments may fail until this is fixed.'

type Text = { about: string; active: string; settings: string[] }

const TEXTS: Record<string, Text> = {
  paypal: {
    about: 'The button in the cart opens PayPal. An order is ready once our server has confirmed the payment.',
    active: 'The last check connected to PayPal.',
    settings: PAYPAL_SETTINGS,
  },
  stripe: {
    about:
      'Takes cards on Stripe’s own page. The buyer comes back here, and an order is ready once our server has confirmed the payment.',
    active: 'The last check connected to Stripe.',
    settings: STRIPE_SETTINGS,
  },
  wallet: {
    about: 'A PayPal wallet or a card that a customer has saved. Quick Buy charges it in one step.',
    active: 'The last check connected to every provider that keeps saved methods.',
    settings: [...PAYPAL_SETTINGS, ...STRIPE_SETTINGS],
  },
}

export const IntegrationDialog = ({ integration, ...dialog }: DialogProps & { integration: Integration }) => (
  <Dialog {...dialog} title={integration.name}>
    <DialogBody>
      {TEXTS[integration.id] ? (
        <Built integration={integration} text={TEXTS[integration.id]!} />
      ) : (
        <CryptoGuide integration={integration} />
      )}
    </DialogBody>
    <DialogFoot>
      <Button onClick={dialog.onClose}>Close</Button>
    </DialogFoot>
  </Dialog>
)

function Built({ integration: { id, state, isSandbox }, text }: { integration: Integration; text: Text }) {
  const isStaff = useSession().user?.isAdmin
  return (
    <>
      <p>{text.about}</p>
      {id === 'wallet' && <SavedWallets />}
      <p>{state === 'active' ? text.active : AWAY}</p>
      {isSandbox && <p>This is a sandbox: a test environment answers, and no real money is charged.</p>}
      {isStaff && (isSandbox || state !== 'active') && (
        <div className="stack gap-2">
          <p>{isSandbox ? 'To accept real payments, set' : 'Check these settings:'}</p>
          <ul className="stack gap-1">
            {text.settings.map((name) => (
              <li key={name}>
                <code>{name}</code>
              </li>
            ))}
          </ul>
          <p className="muted small">
            <code>npm run shop -- doctor</code> tests them and tells you what’s wrong.
          </p>
        </div>
      )}
    </>
  )
}

function SavedWallets() {
  const cache = useQueryClient()
  const { data, isError, refetch } = useQuery({ ...wallets, refetchOnMount: 'always' })
  const remove = useMutation({
    mutationFn: (id: string) => call(removeWallet, { id }),
    onSuccess: (left) => {
      cache.setQueryData(wallets.queryKey, left)
      toast({ title: 'Wallet removed', description: 'Nothing is charged to it any more, and its provider is told.' })
    },
    onError: (error) => toastFailure(error, 'The wallet could not be removed. Please try again.'),
  })
  if (isError && !data) return <ErrorState title="Your saved wallets could not be loaded" onRetry={refetch} />
  if (!data) return <Skeleton height="3.5rem" />
  if (data.length === 0)
    return <p className="muted">You have none. The payment window or page says whether the shop may keep yours.</p>
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
