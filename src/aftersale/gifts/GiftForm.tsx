import { MAX_NAME, MAX_NOTE } from '../../delivery/gifts/gifts.contract.ts'
import { DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Segment } from '../../ui/form/Segment.tsx'
import { Stepper } from '../../ui/form/Stepper.tsx'
import { type GiftLine, GiftPreview } from './GiftPreview.tsx'
import { type MadeGift, useGiftForm } from './useGiftForm.ts'

type GiftFormProps = {
  orderId: string
  line: GiftLine
  most: number
  onCancel: () => void
  onMade: (made: MadeGift) => void
}

export function GiftForm({ orderId, line, most, onCancel, onMade }: GiftFormProps) {
  const form = useGiftForm({ id: orderId, lineId: line.id }, onMade)
  const { typed, isMail, isBusy, type, errorOf, refusalOf, submit } = form
  return (
    <DialogForm noValidate label="Make the gift" isBusy={isBusy} onSubmit={submit} onCancel={onCancel}>
      {most > 1 && (
        <div className="row row--between">
          <span>How many of {most}?</span>
          <Stepper
            label="Copies to give"
            value={typed.quantity}
            max={most}
            onChange={(quantity) => type({ quantity })}
          />
        </div>
      )}
      <Segment
        label="How should it arrive?"
        options={[
          { value: 'mail', label: 'By mail' },
          { value: 'link', label: 'As a link' },
        ]}
        value={typed.by}
        onChange={(by) => type({ by })}
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
            value={typed.toName}
            onChange={({ target }) => type({ toName: target.value })}
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
              value={typed.toEmail}
              onChange={({ target }) => type({ toEmail: target.value })}
            />
          )}
        </Field>
      )}
      <Field label="Your note" note={`${typed.note.length} of ${MAX_NOTE}`} {...refusalOf('note')}>
        {(control) => (
          <textarea
            {...control}
            className="input"
            maxLength={MAX_NOTE}
            value={typed.note}
            onChange={({ target }) => type({ note: target.value })}
          />
        )}
      </Field>
      <GiftPreview line={line} quantity={typed.quantity} toName={typed.toName} note={typed.note} />
      {isMail && <GiftDay form={form} />}
    </DialogForm>
  )
}

const GiftDay = ({ form: { typed, type, errorOf } }: { form: ReturnType<typeof useGiftForm> }) => (
  <>
    <Segment
      label="When?"
      options={[
        { value: 'now', label: 'Now' },
        { value: 'day', label: 'On a day' },
      ]}
      value={typed.when}
      onChange={(when) => type({ when })}
    />
    {typed.when === 'day' && (
      <Field label="Day" hint="At eight in the morning of your time." {...errorOf('day')}>
        {(control) => (
          <input
            {...control}
            className="input"
            type="date"
            value={typed.day}
            onChange={({ target }) => type({ day: target.value })}
          />
        )}
      </Field>
    )}
  </>
)
