import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  addDiscount,
  changeDiscount,
  getOwnDiscount,
  type OwnDiscount,
} from '../../cart/discounts/ownDiscounts.contract.ts'
import { call } from '../../kit/call.client.ts'
import { Failure, isRefusal, reasonOf } from '../../kit/failure.ts'
import { query } from '../../kit/query/query.client.ts'
import { priceText, usd } from '../../localisation/usd.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Segment } from '../../ui/form/Segment.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { DialogProps } from '../../ui/useDialog.ts'
import { ChangedElsewhere } from '../ChangedElsewhere.tsx'
import { mergeEdits } from '../edit.rules.ts'
import { listOwnProducts, type OwnProduct } from '../selling.contract.ts'
import {
  cutOf,
  describeTyped,
  lineOf,
  problemsOf,
  TYPED_NAMES,
  type Typed,
  typedOf,
  wordsOf,
} from './ownDiscount.rules.ts'
import { useDiscounts } from './useDiscounts.ts'
import { WhatBuyersSee } from './WhatBuyersSee.tsx'

type DiscountDialogProps = DialogProps & { /** Null for a new one. */ code: OwnDiscount | null }

export const DiscountDialog = ({ isOpen, onClose, code }: DiscountDialogProps) => (
  <Dialog
    isOpen={isOpen}
    onClose={onClose}
    title={code ? `Edit ${code.code}` : 'New discount code'}
    description="Orders that were placed keep their discount."
  >
    <CodeForm code={code} onClose={onClose} />
  </Dialog>
)

const productsQuery = query(listOwnProducts, { limit: 200 })

const KINDS = [
  { value: 'percent', label: 'Percent' },
  { value: 'amount', label: 'Amount' },
] as const
const GOODS = [
  { value: 'all', label: 'All products' },
  { value: 'chosen', label: 'Chosen products' },
]

type Form = {
  /** The saved code that `typed` began with; null for a new one. */
  base: OwnDiscount | null
  typed: Typed
  /** Fields that were changed here and elsewhere, until the seller chooses. */
  both: (keyof Typed)[]
}

type CodeFormProps = { code: OwnDiscount | null; onClose: () => void }

function CodeForm({ code, onClose }: CodeFormProps) {
  const [{ base, typed, both }, setForm] = useState<Form>(() => ({ base: code, typed: typedOf(code), both: [] }))
  const [isTried, setTried] = useState(false)
  const put = (change: Partial<Typed>) => setForm((now) => ({ ...now, typed: { ...now.typed, ...change } }))
  const settle = (name: keyof Typed) => setForm((now) => ({ ...now, both: now.both.filter((one) => one !== name) }))
  const { refresh } = useDiscounts()
  const { data: products = [] } = useQuery(productsQuery)
  const save = useMutation({
    mutationFn: () => {
      const words = wordsOf(typed, base)
      return base ? call(changeDiscount, { id: base.id, version: base.version, ...words }) : call(addDiscount, words)
    },
    onError: async (error) => {
      if (!isChanged(error)) return
      // without an answer the next try is refused again
      const saved = await call(getOwnDiscount, { id: base!.id }).catch(() => null)
      if (saved)
        setForm((now) => {
          const { values, both } = mergeEdits(typedOf(base), now.typed, typedOf(saved))
          return { base: saved, typed: values, both }
        })
      toast({ title: 'Changed elsewhere', description: 'Nothing you typed is lost. Look at it and save again.' })
    },
    onSuccess: (saved) => {
      toast({
        title: code ? `${saved.code} saved` : `${saved.code} is ready`,
        description: 'Copy its link to share it.',
      })
      onClose()
    },
    onSettled: refresh,
  })
  const problems = problemsOf(typed)
  const refused =
    save.error && !isChanged(save.error) && (reasonOf(save.error, isRefusal) ?? 'That didn’t work. Please try again.')
  const errorOf = (name: keyof typeof problems) => {
    const error = (isTried && problems[name]) || (name === 'code' && refused)
    return error ? { error } : {}
  }
  const { off } = typed
  const field = (value: string, onType: (text: string) => void) => ({
    autoComplete: 'off',
    maxLength: 20,
    value,
    onChange: ({ target }: { target: HTMLInputElement }) => onType(target.value),
  })
  const text = (name: 'code' | 'mostUses' | 'mostPerBuyer') => field(typed[name], (typing) => put({ [name]: typing }))
  const putOff = (change: Partial<Typed['off']>) => put({ off: { ...off, ...change } })
  const fitting = products.filter(({ id }) => typed.productIds?.includes(id) ?? true)
  const sample = sampleOf(fitting[0], typed)
  return (
    <DialogForm
      noValidate
      label={code ? 'Save code' : 'Create code'}
      isBusy={save.isPending}
      onCancel={onClose}
      onSubmit={() => {
        setTried(true)
        if (Object.values(problems).every((problem) => !problem)) save.mutate()
        else requestAnimationFrame(() => document.querySelector<HTMLElement>('.dialog [aria-invalid]')?.focus())
      }}
    >
      {both.map((name) => (
        <ChangedElsewhere
          key={name}
          name={TYPED_NAMES[name]}
          theirs={describeTyped(name, typedOf(base))}
          mine={describeTyped(name, typed)}
          onTake={() => {
            put({ [name]: typedOf(base)[name] })
            settle(name)
          }}
          onKeep={() => settle(name)}
        />
      ))}
      <Field label="Code" hint="4 to 20 letters and digits, in any case." {...errorOf('code')}>
        {(control) => <input {...control} {...text('code')} className="input mono" autoCapitalize="characters" />}
      </Field>
      <div className="formgrid">
        <div className="field">
          <strong className="text-14" aria-hidden>
            Takes off
          </strong>
          <Segment label="Takes off" options={[...KINDS]} value={off.kind} onChange={(kind) => putOff({ kind })} />
        </div>
        {off.kind === 'percent' ? (
          <Field label="Percent" hint={sample} {...errorOf('percent')}>
            {(control) => (
              <input
                {...control}
                {...field(off.percent, (percent) => putOff({ percent }))}
                className="input num"
                inputMode="numeric"
              />
            )}
          </Field>
        ) : (
          <Field label="Amount" note="USD, off an order" hint={sample} {...errorOf('amount')}>
            {(control) => (
              <input
                {...control}
                {...field(off.amount, (amount) => putOff({ amount }))}
                className="input num"
                inputMode="decimal"
              />
            )}
          </Field>
        )}
      </div>
      <Field label="For" {...errorOf('products')}>
        {(control) => (
          <Select
            {...control}
            options={GOODS}
            value={typed.productIds ? 'chosen' : 'all'}
            onChange={({ target }) => put({ productIds: target.value === 'all' ? null : [] })}
          />
        )}
      </Field>
      {typed.productIds && (
        <fieldset>
          <legend className="sr">Chosen products</legend>
          {/* chosen ones first come with the code, even beyond the first 200 */}
          {[...new Map([...(base?.products ?? []), ...products].map(({ id, title }) => [id, title]))].map(
            ([id, title]) => (
              <label key={id} className="check wrap-anywhere">
                <input
                  type="checkbox"
                  checked={typed.productIds!.includes(id)}
                  onChange={({ target }) => {
                    const others = typed.productIds!.filter((one) => one !== id)
                    put({ productIds: (target.checked ? [...others, id] : others).toSorted() })
                  }}
                />
                {title}
              </label>
            ),
          )}
        </fieldset>
      )}
      <Switch
        label="First purchase only"
        hint="For buyers who have bought nothing from you yet."
        isOn={typed.isFirstOnly}
        onChange={(isFirstOnly) => put({ isFirstOnly })}
      />
      <div className="formgrid">
        <Field label="Times in all" hint="Empty: no limit" {...errorOf('mostUses')}>
          {(control) => <input {...control} {...text('mostUses')} className="input num" inputMode="numeric" />}
        </Field>
        <Field label="Times a buyer" hint="Empty: no limit" {...errorOf('mostPerBuyer')}>
          {(control) => <input {...control} {...text('mostPerBuyer')} className="input num" inputMode="numeric" />}
        </Field>
      </div>
      <div className="formgrid">
        <Field label="First day" hint="Empty: from now on">
          {(control) => (
            <input
              {...control}
              className="input num"
              type="date"
              value={typed.firstDay}
              onChange={({ target }) => put({ firstDay: target.value })}
            />
          )}
        </Field>
        <Field label="Last day" hint="Empty: no end" {...errorOf('lastDay')}>
          {(control) => (
            <input
              {...control}
              className="input num"
              type="date"
              value={typed.lastDay}
              onChange={({ target }) => put({ lastDay: target.value })}
            />
          )}
        </Field>
      </div>
      <WhatBuyersSee products={fitting} typed={typed} />
      {code && <Ending code={code} onClose={onClose} />}
    </DialogForm>
  )
}

/** 'Night Trains: $8.50 to $6.80' */
function sampleOf(product: OwnProduct | undefined, typed: Typed): string {
  if (!product) return ''
  const line = lineOf(product)
  const cut = cutOf([line], typed)
  if (cut === null) return ''
  const left = line.cents - cut
  const why = left > 0 && left === line.leastCents ? `. ${product.suggested ? 'Your minimum' : 'A cent'} stays` : ''
  return `${product.title}: ${usd(line.cents)} to ${priceText(left)}${why}`
}

const isChanged = (error: unknown): boolean => error instanceof Failure && error.code === 'changed'

function Ending({ code, onClose }: { code: OwnDiscount; onClose: () => void }) {
  const { end, remove } = useDiscounts()
  const [isBusy, setBusy] = useState(false)
  const act = (work: () => Promise<boolean>, title: string) => async () => {
    setBusy(true)
    const isDone = await work()
    setBusy(false)
    if (!isDone) return
    toast({ title })
    onClose()
  }
  return (
    <div className="row">
      {code.state !== 'ended' && (
        <Button tone="bad-line" isBusy={isBusy} onClick={() => void act(() => end(code), `${code.code} has ended`)()}>
          End now
        </Button>
      )}
      {!code.isUsed && (
        <Button tone="quiet" isBusy={isBusy} onClick={() => void act(() => remove(code), `${code.code} deleted`)()}>
          Delete
        </Button>
      )}
    </div>
  )
}
