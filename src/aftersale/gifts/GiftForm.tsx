import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { giveCopies, type Gift, MAX_NAME, MAX_NOTE } from '../../delivery/gifts/gifts.contract.ts'
import { call } from '../../kit/call.client.ts'
import { reasonOf } from '../../kit/failure.ts'
import { DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Segment } from '../../ui/form/Segment.tsx'
import { Stepper } from '../../ui/form/Stepper.tsx'
import { momentOf } from './gift.texts.rules.ts'
import { notifyGiftFailed } from './giftFailed.client.ts'

type GiftFormProps = {
  id: string
  lineId: string
  most: number
  onCancel: () => void
  onMade: (made: { gift: Gift; link: string }) => void
}

export function GiftForm({ id, lineId, most, onCancel, onMade }: GiftFormProps) {
  const [by, setBy] = useState<'mail' | 'link'>('mail')
  const [quantity, setQuantity] = useState(1)
  const [toName, setName] = useState('')
  const [toEmail, setEmail] = useState('')
  const [note, setNote] = useState('')
  const [when, setWhen] = useState<'now' | 'day'>('now')
  const [day, setDay] = useState('')
  const [isTried, setTried] = useState(false)
  const isMail = by === 'mail'
  const sendAt = isMail && when === 'day' ? momentOf(day, Date.now()) : undefined
  const wrong = {
    toEmail: isMail && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(toEmail.trim()) && 'Enter the address of the person.',
    day: sendAt === null && 'Choose a day that is to come.',
  }
  const errorOf = (field: keyof typeof wrong) => (isTried && wrong[field] ? { error: wrong[field] } : {})
  const [refused, setRefused] = useState<{ field: string; error: string } | null>(null)
  const refusalOf = (field: 'toName' | 'note') => (refused?.field === field ? { error: refused.error } : {})
  const keys = useRef(new Map<string, string>())
  const give = useMutation({
    mutationFn: () => {
      // a repeated press makes one gift, a changed form another
      const what = JSON.stringify([quantity, toName, toEmail, note, by, sendAt])
      const key = keys.current.get(what) ?? crypto.randomUUID()
      keys.current.set(what, key)
      return call(
        giveCopies,
        {
          ...{ id, lineId, quantity, toName: toName.trim(), note: note.trim() },
          ...(isMail && { toEmail: toEmail.trim() }),
          ...(sendAt && { sendAt }),
        },
        { headers: { 'idempotency-key': key } },
      )
    },
    onSuccess: onMade,
    onError: (error) => {
      const [, field, reason] =
        /^(toName|note): (.+)$/.exec(reasonOf(error, ({ status }) => status === 400) ?? '') ?? []
      if (!field || !reason) return notifyGiftFailed(error, 'We couldn’t make the gift.')
      setRefused({ field, error: `${reason}.` })
      focusProblem()
    },
  })
  const submit = () => {
    setTried(true)
    setRefused(null)
    if (Object.values(wrong).every((problem) => problem === false)) give.mutate()
    else focusProblem()
  }
  return (
    <DialogForm noValidate label="Make the gift" isBusy={give.isPending} onSubmit={submit} onCancel={onCancel}>
      {most > 1 && (
        <div className="row row--between">
          <span>How many of {most}?</span>
          <Stepper label="Copies to give" value={quantity} max={most} onChange={setQuantity} />
        </div>
      )}
      <Segment
        label="How should it arrive?"
        options={[
          { value: 'mail', label: 'By mail' },
          { value: 'link', label: 'As a link' },
        ]}
        value={by}
        onChange={setBy}
      />
      <p className="small muted">
        {isMail
          ? 'We mail the gift. Neither the mail nor its page shows what you paid.'
          : 'You pass it on. The first person who claims it becomes the owner.'}
      </p>
      <Field label="Their name" note="optional" {...refusalOf('toName')}>
        {(control) => (
          <input
            {...control}
            className="input"
            autoComplete="off"
            maxLength={MAX_NAME}
            value={toName}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      {isMail && (
        <Field label="Their mail address" {...errorOf('toEmail')}>
          {(control) => (
            <input
              {...control}
              className="input"
              type="email"
              autoComplete="off"
              maxLength={254}
              value={toEmail}
              onChange={({ target }) => setEmail(target.value)}
            />
          )}
        </Field>
      )}
      <Field label="Your note" note={`${note.length} of ${MAX_NOTE}`} {...refusalOf('note')}>
        {(control) => (
          <textarea
            {...control}
            className="input"
            maxLength={MAX_NOTE}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        )}
      </Field>
      {isMail && (
        <>
          <Segment
            label="When?"
            options={[
              { value: 'now', label: 'Now' },
              { value: 'day', label: 'On a day' },
            ]}
            value={when}
            onChange={setWhen}
          />
          {when === 'day' && (
            <Field label="Day" hint="At eight in the morning of your time." {...errorOf('day')}>
              {(control) => (
                <input
                  {...control}
                  className="input"
                  type="date"
                  value={day}
                  onChange={({ target }) => setDay(target.value)}
                />
              )}
            </Field>
          )}
        </>
      )}
    </DialogForm>
  )
}

const focusProblem = () => setTimeout(() => document.querySelector<HTMLElement>('.dialog [aria-invalid]')?.focus())
