import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import {
  type Gift,
  type GiftsOfLine,
  keepCopy,
  listGifts,
  renewGift,
  takeGiftBack,
} from '../../delivery/gifts/gifts.contract.ts'
import { call } from '../../kit/call.client.ts'
import { keyOf, query } from '../../kit/query/query.client.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { passOn } from '../../ui/share.client.ts'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { useFreshOrders } from '../../checkout/useFreshOrders.ts'
import { describeLeft, describeState, nameGift } from './gift.texts.rules.ts'
import { GiftForm } from './GiftForm.tsx'
import type { GiftLine } from './GiftPreview.tsx'
import { notifyGiftFailed } from './giftFailed.client.ts'

type GiftDialogProps = { orderId: string; line: GiftLine; onClose: () => void }

export function GiftDialog({ orderId, line, onClose }: GiftDialogProps) {
  const lineOf = { id: orderId, lineId: line.id }
  const cache = useQueryClient()
  const readOrders = useFreshOrders()
  const { data, isError, refetch } = useQuery({ ...query(listGifts, lineOf), refetchOnMount: 'always' })
  const [made, setMade] = useState<{ gift: Gift; link: string } | null>(null)
  const [isGiving, setGiving] = useState<boolean | null>(null)
  const refresh = () => {
    void cache.invalidateQueries({ queryKey: keyOf(listGifts, lineOf) })
    void readOrders()
  }
  const keep = useMutation({
    mutationFn: () => call(keepCopy, lineOf),
    onSuccess: () => toast({ title: 'It is yours', description: line.title, tone: 'good' }),
    onError: (error) => notifyGiftFailed(error, 'We couldn’t change that.'),
    onSettled: refresh,
  })
  const isForm = data !== undefined && data.most > 0 && (isGiving ?? data.gifts.length === 0)
  if (made)
    return (
      <Dialog isOpen onClose={onClose} title="Your gift is ready" description={line.title}>
        <DialogBody>
          <MadeGift {...made} />
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>Done</Button>
          <Button
            tone="primary"
            icon={<Copy className="icon" aria-hidden />}
            onClick={() => void passOn(made.link, `A gift: ${line.title}`)}
          >
            {typeof navigator.share === 'function' ? 'Share link' : 'Copy link'}
          </Button>
        </DialogFoot>
      </Dialog>
    )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Give as a gift"
      description={`${line.title}. Whoever claims the gift becomes its owner.`}
    >
      {isForm ? (
        <GiftForm
          {...{ orderId, line }}
          most={data.most}
          onCancel={() => (data.gifts.length > 0 ? setGiving(false) : onClose())}
          onMade={(gift) => {
            setMade(gift)
            refresh()
          }}
        />
      ) : (
        <>
          <DialogBody>
            {isError && !data ? (
              <ErrorState title="Couldn’t load the gifts" onRetry={() => void refetch()} />
            ) : data ? (
              <Gifts data={data} onChange={refresh} onLink={setMade} />
            ) : (
              <Skeleton height="8rem" />
            )}
          </DialogBody>
          <DialogFoot>
            {data?.canKeep && (
              <Button isBusy={keep.isPending} onClick={() => keep.mutate()}>
                Keep it for myself
              </Button>
            )}
            {data && data.most > 0 ? (
              <Button tone="primary" onClick={() => setGiving(true)}>
                Give another
              </Button>
            ) : (
              <Button tone="primary" onClick={onClose}>
                Done
              </Button>
            )}
          </DialogFoot>
        </>
      )}
    </Dialog>
  )
}

function MadeGift({ gift, link }: { gift: Gift; link: string }) {
  return (
    <>
      <p role="status">
        {gift.toEmail
          ? `${describeState(gift)}. You can pass the link on yourself, too.`
          : 'Pass this link on. The first person who claims it becomes the owner.'}
      </p>
      <Field label="Link" hint="It is shown only here. You can make a new one later.">
        {(control) => (
          <input {...control} className="input mono" readOnly value={link} onFocus={({ target }) => target.select()} />
        )}
      </Field>
    </>
  )
}

type GiftsProps = { data: GiftsOfLine; onChange: () => void; onLink: (made: { gift: Gift; link: string }) => void }

function Gifts({ data, onChange, onLink }: GiftsProps) {
  const renew = useMutation({
    mutationFn: (id: string) => call(renewGift, { id }),
    onSuccess: onLink,
    onError: (error) => notifyGiftFailed(error, 'We couldn’t make a new link.'),
    onSettled: onChange,
  })
  const takeBack = useMutation({
    mutationFn: (id: string) => call(takeGiftBack, { id }),
    onSuccess: () => toast({ title: 'Taken back', description: 'Its link doesn’t work any more.' }),
    onError: (error) => notifyGiftFailed(error, 'We couldn’t take it back.'),
    onSettled: onChange,
  })
  return (
    <>
      <p>{describeLeft(data)}</p>
      {data.gifts.length > 0 && (
        <ul className="list" aria-label="Gifts">
          {data.gifts.map((gift) => (
            <li key={gift.id} className="list__row">
              <span className="grow wrap-anywhere">
                <strong className="text-14">{nameGift(gift)}</strong>
                <small>{describeState(gift)}</small>
              </span>
              {gift.state === 'open' && (
                <span className="row gap-2">
                  <Button tone="quiet" disabled={renew.isPending} onClick={() => renew.mutate(gift.id)}>
                    New link
                  </Button>
                  <Button tone="quiet" disabled={takeBack.isPending} onClick={() => takeBack.mutate(gift.id)}>
                    Take back
                  </Button>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
