import { CalendarClock, Check, CircleAlert, CirclePause, Copy, Plus } from 'lucide-react'
import { useState } from 'react'
import { type DiscountState, listOwnDiscounts, type OwnDiscount } from '../../cart/discounts/ownDiscounts.contract.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { toCents } from '../../kit/money.ts'
import { pagesOf } from '../../kit/query/list.client.ts'
import { useList } from '../../kit/query/useList.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.client.ts'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { useDialog } from '../../ui/useDialog.ts'
import { useReadMore } from '../../ui/useReadMore.ts'
import { describeTerms, describeUse, STATE_NAMES } from './ownDiscount.rules.ts'
import { useDiscounts } from './useDiscounts.ts'
import { SellerTabs } from '../SellerTabs.tsx'

const ConfirmDialog = lazyDialog(() => import('../../ui/ConfirmDialog.tsx'), 'ConfirmDialog')
const DiscountDialog = lazyDialog(() => import('./DiscountDialog.tsx'), 'DiscountDialog')

const STEP = 24

export function DiscountsPage() {
  const codes = useList<OwnDiscount>({ ...pagesOf(listOwnDiscounts, { limit: STEP }), refetchOnMount: 'always' })
  const { items, total, isPending, hasError, refetch, readMore, isReadingMore } = codes
  const { list, readOn } = useReadMore(readMore, (error) =>
    toastFailure(error, 'Failed to load more codes. Please try again.'),
  )
  const dialog = useDialog()
  const [edited, setEdited] = useState<OwnDiscount | null>(null)
  const edit = (code: OwnDiscount | null) => {
    setEdited(code)
    dialog.open()
  }
  const plus = <Plus className="icon" aria-hidden />
  return (
    <div className="section gap-4">
      <SellerTabs />
      <PageHead
        title="Discounts"
        about="Codes for your own products. You pay the discount."
        action={
          items.length > 0 && (
            <Button icon={plus} onClick={() => edit(null)}>
              New code
            </Button>
          )
        }
      />
      {isPending ? (
        <Skeleton height="12rem" />
      ) : hasError ? (
        <ErrorState title="Couldn’t load your codes" onRetry={refetch} />
      ) : items.length === 0 ? (
        <div className="card">
          <EmptyState
            scene="ticket"
            title="No codes yet"
            action={
              <Button tone="primary" icon={plus} onClick={() => edit(null)}>
                New code
              </Button>
            }
          >
            A code takes a percentage or an amount off your products. Buyers enter it in their cart or open its link.
          </EmptyState>
        </div>
      ) : (
        <>
          <ul className="list" aria-label="Codes" ref={list}>
            {items.map((code) => (
              <CodeRow key={code.id} code={code} onEdit={() => edit(code)} />
            ))}
          </ul>
          {readMore && (
            <div className="row row--center more">
              <Button isBusy={isReadingMore} onClick={readOn}>
                Show {Math.min(STEP, total - items.length)} more
              </Button>
            </div>
          )}
        </>
      )}
      {dialog.isWanted && <DiscountDialog key={edited?.id} {...dialog.props} code={edited} />}
    </div>
  )
}

const BADGES = {
  active: ['active', Check],
  planned: ['setup', CalendarClock],
  paused: ['neutral', CirclePause],
  used_up: ['neutral', CircleAlert],
  ended: ['neutral', CircleAlert],
} as const satisfies Record<DiscountState, unknown>

function CodeRow({ code, onEdit }: { code: OwnDiscount; onEdit: () => void }) {
  const { state, linkProductId } = code
  const { pause, resume } = useDiscounts()
  const [look, Icon] = BADGES[state]
  return (
    <li className="list__row row--wrap">
      <span className="grow grow--column wrap-anywhere">
        <strong className="mono">{code.code}</strong>
        <small>{describeTerms(code)}</small>
        <small className="num">
          {describeUse(code)} Revenue {usd(toCents(code.revenue))}
        </small>
      </span>
      <Badge look={look} icon={<Icon className="icon" aria-hidden />}>
        {STATE_NAMES[state]}
      </Badge>
      <span className="row gap-2">
        {linkProductId && state !== 'ended' && (
          <Button
            tone="ghost"
            icon={<Copy className="icon" aria-hidden />}
            aria-label={`Copy link of ${code.code}`}
            onClick={() =>
              void copyText(`${location.origin}/product/${linkProductId}?discount=${code.code}`, 'The link')
            }
          >
            Copy link
          </Button>
        )}
        {state === 'paused' ? (
          <Button aria-label={`Resume ${code.code}`} onClick={() => resume(code)}>
            Resume
          </Button>
        ) : (
          (state === 'active' || state === 'planned') && (
            <Button aria-label={`Pause ${code.code}`} onClick={() => pause(code)}>
              Pause
            </Button>
          )
        )}
        {!code.isUsed && <DeleteButton code={code} />}
        <Button aria-label={`Edit ${code.code}`} onClick={onEdit}>
          Edit
        </Button>
      </span>
    </li>
  )
}

function DeleteButton({ code }: { code: OwnDiscount }) {
  const { remove } = useDiscounts()
  const question = useDialog()
  const confirm = async () => {
    if (await remove(code)) toast({ title: `${code.code} deleted` })
  }
  return (
    <>
      <Button aria-label={`Delete ${code.code}`} onClick={question.open}>
        Delete
      </Button>
      {question.isWanted && (
        <ConfirmDialog
          {...question.props}
          title={`Delete ${code.code}?`}
          label="Delete"
          tone="bad"
          onConfirm={() => void confirm()}
        >
          No order has used it. Its links will show the full price.
        </ConfirmDialog>
      )}
    </>
  )
}
