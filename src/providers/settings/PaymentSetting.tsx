import { useQuery } from '@tanstack/react-query'
import {
  Check,
  CircleAlert,
  CircleDollarSign,
  Clock,
  CreditCard,
  Infinity as Loop,
  type LucideIcon,
  Wallet,
  Webhook,
} from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { query } from '../../kit/query/query.client.ts'
import { type Integration, listIntegrations } from '../integrations.contract.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { Setting } from '../../ui/Setting.tsx'
import { useDialog } from '../../ui/useDialog.ts'

const WebhooksDialog = lazyDialog(() => import('./WebhooksDialog.tsx'), 'WebhooksDialog')
const IntegrationDialog = lazyDialog(() => import('./IntegrationDialog.tsx'), 'IntegrationDialog')

export function PaymentSetting() {
  const webhooks = useDialog()
  const details = useDialog()
  const [chosen, setChosen] = useState<Integration>()
  const { data, isError, refetch } = useQuery({
    ...query(listIntegrations, {}),
    refetchOnMount: 'always',
  })
  return (
    <Setting title="Payment Integration" about="Badges show the result of a check within the last minute.">
      {isError && !data ? (
        <ErrorState title="Couldn’t load the payment providers" onRetry={refetch} />
      ) : (
        <ul className="list" aria-busy={!data}>
          {data?.map((integration) => (
            <li key={integration.id}>
              <button
                type="button"
                className="list__row"
                onClick={() => {
                  setChosen(integration)
                  details.open()
                }}
              >
                {ICONS[integration.id]}
                <span className="grow">
                  <strong>{integration.name}</strong>
                  <small>{statusOf(integration)}</small>
                </span>
                {BADGES[integration.state]}
              </button>
            </li>
          )) ?? WAITING}
        </ul>
      )}
      <Button className="self-start" icon={<Webhook className="icon" aria-hidden />} onClick={webhooks.open}>
        Configure Webhooks
      </Button>
      {webhooks.isWanted && <WebhooksDialog {...webhooks.props} />}
      {chosen && details.isWanted && <IntegrationDialog {...details.props} integration={chosen} />}
    </Setting>
  )
}

const statusOf = ({ state, isSandbox }: Integration) =>
  state === 'setup'
    ? 'setup required'
    : state === 'away'
      ? 'not answering'
      : isSandbox
        ? 'connected, sandbox'
        : 'connected'

const ICONS: Record<Integration['id'], ReactNode> = {
  paypal: <CircleDollarSign className="icon" aria-hidden />,
  stripe: <CreditCard className="icon" aria-hidden />,
  wallet: <Wallet className="icon" aria-hidden />,
  crypto: <Loop className="icon" aria-hidden />,
}

const badge = (look: ComponentProps<typeof Badge>['look'], Icon: LucideIcon, name: string) => (
  <Badge look={look} icon={<Icon className="icon" aria-hidden />}>
    {name}
  </Badge>
)

const BADGES: Record<Integration['state'], ReactNode> = {
  active: badge('active', Check, 'Active'),
  away: badge('failed', CircleAlert, 'Away'),
  setup: badge('setup', Clock, 'Setup'),
}

const WAITING = [1, 2, 3].map((row) => (
  <li key={row} className="list__row">
    <Skeleton height="1.25rem" width="1.25rem" />
    <span className="grow">
      <Skeleton height="2rem" width="6rem" />
    </span>
    <Skeleton height="1.5rem" width="4rem" />
  </li>
))
