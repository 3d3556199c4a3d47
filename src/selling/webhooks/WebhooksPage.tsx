import { useQuery } from '@tanstack/react-query'
import { Check, CircleAlert, Plus, Send, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../kit/call.client.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Pair } from '../../ui/Pair.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { useDialog } from '../../ui/useDialog.ts'
import {
  type Hook,
  type HookMessage,
  removeHook,
  replayHookMessage,
  testHook,
} from '../../notifications/hooks/hooks.contract.ts'
import { SellerTabs } from '../SellerTabs.tsx'
import { ResendFailed } from './ResendFailed.tsx'
import { hooksQuery, LOOK_EVERY_MS, messagesQuery, useHookAct } from './useHookAct.ts'

const ConfirmDialog = lazyDialog(() => import('../../ui/ConfirmDialog.tsx'), 'ConfirmDialog')
const HookDialog = lazyDialog(() => import('./HookDialog.tsx'), 'HookDialog')

export function WebhooksPage() {
  const { data: hooks, isError, refetch } = useQuery({ ...hooksQuery, refetchOnMount: 'always' })
  const dialog = useDialog()
  const [edited, setEdited] = useState<Hook | null>(null)
  const edit = (hook: Hook | null) => {
    setEdited(hook)
    dialog.open()
  }
  return (
    <div className="section gap-4">
      <SellerTabs />
      <PageHead
        title="Webhooks"
        about="Your own server hears of orders, products, reviews and payouts the moment they happen."
        action={
          hooks && (
            <Button icon={<Plus className="icon" aria-hidden />} onClick={() => edit(null)}>
              Add an address
            </Button>
          )
        }
      />
      {isError && !hooks ? (
        <ErrorState title="Couldn’t load your webhooks" onRetry={() => void refetch()} />
      ) : !hooks ? (
        <Skeleton height="8rem" />
      ) : hooks.length === 0 ? (
        <div className="card">
          <EmptyState scene="ticket" title="No addresses yet">
            Events are signed as the Standard Webhooks specification says, and sent again for three days if your server
            is away.
          </EmptyState>
        </div>
      ) : (
        <>
          <ul className="list" aria-label="Addresses">
            {hooks.map((hook) => (
              <HookRow key={hook.id} hook={hook} onEdit={() => edit(hook)} />
            ))}
          </ul>
          <Log hooks={hooks} />
        </>
      )}
      {dialog.isWanted && <HookDialog key={edited?.id} {...dialog.props} hook={edited} />}
    </div>
  )
}

const BADGES = {
  active: ['active', Check, 'Active'],
  failing: ['failed', TriangleAlert, 'Failing'],
  disabled: ['neutral', CircleAlert, 'Off'],
} as const

function HookRow({ hook, onEdit }: { hook: Hook; onEdit: () => void }) {
  const { id, url, events, isForShop, state, lastSuccessAt, failingSince } = hook
  const [look, Icon, name] = BADGES[state]
  const test = useHookAct(() => call(testHook, { id }), 'Test sent')
  const remove = useHookAct(() => call(removeHook, { id }), 'Address removed')
  const question = useDialog()
  return (
    <li className="list__row row--wrap">
      <span className="grow grow--column wrap-anywhere">
        <strong className="mono">{url}</strong>
        <small>
          {isForShop ? 'All sellers: ' : ''}
          {events.join(', ')}
        </small>
        <small>
          {state === 'failing' && failingSince
            ? `Failing since ${formatMoment(failingSince)}`
            : lastSuccessAt
              ? `Last delivered ${formatMoment(lastSuccessAt)}`
              : 'Nothing delivered yet'}
        </small>
      </span>
      <Badge look={look} icon={<Icon className="icon" aria-hidden />}>
        {name}
      </Badge>
      <span className="row gap-2">
        {state !== 'disabled' && (
          <Button isBusy={test.isPending} onClick={() => test.mutate()}>
            Send a test
          </Button>
        )}
        <Button onClick={onEdit} aria-label={`Edit ${url}`}>
          Edit
        </Button>
        <Button tone="quiet" isBusy={remove.isPending} aria-label={`Remove ${url}`} onClick={question.open}>
          Remove
        </Button>
      </span>
      {question.isWanted && (
        <ConfirmDialog
          {...question.props}
          title="Remove this address?"
          label="Remove"
          tone="bad"
          onConfirm={() => remove.mutate()}
        >
          <span className="wrap-anywhere">
            Its log and the events that wait for {url} are deleted. To stop for a while, edit it and turn it off
            instead.
          </span>
        </ConfirmDialog>
      )}
    </li>
  )
}

function Log({ hooks }: { hooks: Hook[] }) {
  const { data, isError, refetch } = useQuery({
    ...messagesQuery,
    refetchOnMount: 'always',
    refetchInterval: LOOK_EVERY_MS,
  })
  return (
    <section className="section" aria-labelledby="deliveries">
      <div className="section__head">
        <h2 id="deliveries" tabIndex={-1}>
          Deliveries
        </h2>
        <ResendFailed />
      </div>
      {isError && !data ? (
        <ErrorState title="Couldn’t load the log" onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height="8rem" />
      ) : data.length === 0 ? (
        <p className="card muted small">Nothing has happened yet. Send a test to see it here.</p>
      ) : (
        <ul className="stack gap-2">
          {data.map((message) => (
            <li key={message.id}>
              <Message message={message} url={hooks.find(({ id }) => id === message.hookId)?.url ?? ''} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const STATES = {
  delivered: ['active', Check, 'Delivered'],
  waiting: ['pending', Send, 'Waiting'],
  failed: ['failed', TriangleAlert, 'Failed'],
} as const

function Message({ message, url }: { message: HookMessage; url: string }) {
  const { id, type, state, createdAt, nextAt, body, attempts } = message
  const [look, Icon, name] = STATES[state]
  const replay = useHookAct(() => call(replayHookMessage, { id }), 'Sending again')
  return (
    <details className="panel card">
      <summary>
        <span className="grow wrap-anywhere">
          <strong className="mono">{type}</strong> <small className="muted">{formatMoment(createdAt)}</small>{' '}
          <small className="mono muted">{url}</small>
        </span>
        <Badge look={look} icon={<Icon className="icon" aria-hidden />}>
          {name}
        </Badge>
      </summary>
      <div className="panel__body stack">
        {nextAt && <p className="small muted">Next attempt {formatMoment(nextAt)}.</p>}
        <h3 className="text-14">What was sent</h3>
        <Payload label={`What was sent as ${type}`} text={body} />
        <h3 className="text-14">What came back</h3>
        {attempts.length === 0 && <p className="small muted">Nothing yet.</p>}
        {attempts.map(({ at, status, milliseconds, answer }) => (
          <div key={at} className="stack gap-1">
            <dl className="pairs small">
              <Pair
                name={formatMoment(at)}
                value={`${status ?? 'No answer'} in ${milliseconds.toLocaleString('en')} ms`}
              />
            </dl>
            {answer && <Payload label="The answer" text={answer} />}
          </div>
        ))}
        <div className="row">
          <Button isBusy={replay.isPending} onClick={() => replay.mutate()}>
            Send again now
          </Button>
        </div>
      </div>
    </details>
  )
}

/** Uses a text area, because it scrolls and is reachable by keyboard. */
const Payload = ({ label, text }: { label: string; text: string }) => (
  <textarea className="input mono" readOnly rows={8} aria-label={label} value={indentJson(text)} />
)

function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
