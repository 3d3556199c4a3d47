import { useQuery } from '@tanstack/react-query'
import { Copy, ShieldCheck, ShieldX } from 'lucide-react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { query } from '../../kit/query/query.client.ts'
import { listWebhooks, type Webhook } from '../integrations.contract.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.client.ts'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Link } from '../../ui/Link.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import type { DialogProps } from '../../ui/useDialog.ts'

const WebhookLog = lazyPart(() => import('./WebhookLog.tsx'), 'WebhookLog', <Skeleton height="6rem" />)

export function WebhooksDialog(dialog: DialogProps) {
  const { user } = useSession()
  const { data, isError, refetch } = useQuery(query(listWebhooks, {}))
  return (
    <Dialog
      {...dialog}
      title="Webhooks"
      description="Payment providers send updates about payments to these addresses."
    >
      <DialogBody>
        <p>
          Your own server can hear of your sales:{' '}
          <Link className="text-link" href="/webhooks" onClick={dialog.onClose}>
            outgoing webhooks
          </Link>
          .
        </p>
        {isError && !data ? (
          <ErrorState title="Couldn’t load the addresses" onRetry={refetch} />
        ) : data ? (
          data.map((webhook) => <Address key={webhook.provider} webhook={webhook} />)
        ) : (
          <Skeleton height="6rem" />
        )}
        {user?.isAdmin ? (
          <WebhookLog canTest={data?.some(({ canTest }) => canTest) ?? false} />
        ) : (
          <p className="muted small">Only administrators can see the events.</p>
        )}
      </DialogBody>
      <DialogFoot>
        <Button onClick={dialog.onClose}>Close</Button>
      </DialogFoot>
    </Dialog>
  )
}

function Address({ webhook: { name, url, canVerify } }: { webhook: Webhook }) {
  const Shield = canVerify ? ShieldCheck : ShieldX
  return (
    <section className="stack gap-2" aria-label={name}>
      <div className="row row--between">
        <strong>{name}</strong>
        <Badge look={canVerify ? 'active' : 'setup'} icon={<Shield className="icon" aria-hidden />}>
          {canVerify ? 'Signatures verified' : 'Setup'}
        </Badge>
      </div>
      <div className="row">
        <code className="grow wrap-anywhere">{url}</code>
        <Button icon={<Copy className="icon" aria-hidden />} onClick={() => void copyText(url, 'The address')}>
          Copy
        </Button>
      </div>
      {!canVerify && (
        <p className="small">
          Events are rejected until <code>PAYPAL_WEBHOOK_ID</code> is set to the ID the provider gave this address.
        </p>
      )}
    </section>
  )
}
