import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { shareDiscount } from '../../cart/discounts/discount.rules.ts'
import {
  addDiscount,
  changeDiscount,
  type DiscountWords,
  type OwnDiscount,
} from '../../cart/discounts/ownDiscounts.contract.ts'
import { priceProblem, readPrice } from '../../catalogue/price.rules.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { toCents } from '../../kit/money.ts'
import { query } from '../../kit/query/query.client.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Segment } from '../../ui/form/Segment.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { DialogProps } from '../../ui/useDialog.ts'
import { listOwnProducts } from '../selling.contract.ts'
import { dayOf, lastDayOf, momentOf } from './ownDiscount.rules.ts'
import { useDiscounts } from './useDiscounts.ts'

type DiscountDialogProps = DialogProps & { /** Null for a new one. */ code: OwnDiscount | null }

/** Makes or edits a discount code. */
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

/** The fields as they are typed. */
const typedOf = (code: OwnDiscount | null) => ({
  code: code?.code ?? '',
  kind: code?.amount ? ('amount' as const) : ('percent' as const),
  percent: String(code?.percent ?? 20),
  amount: code?.amount ?? '2.00',
  productIds: code?.products?.map(({ id }) => id) ?? null,
  isFirstOnly: code?.isFirstOnly ?? false,
  firstDay: dayOf(code?.startsAt ?? null),
  lastDay: lastDayOf(code?.endsAt ?? null),
  mostUses: String(code?.mostUses ?? ''),
  mostPerBuyer: code ? String(code.mostPerBuyer ?? '') : '1',
})
type Typed = ReturnType<typeof typedOf>

const isWhole = (typed: string, most: number) => /^\d+$/.test(typed) && Number(typed) >= 1 && Number(typed) <= most

function problemsOf({ code, kind, percent, amount, productIds, firstDay, lastDay, mostUses, mostPerBuyer }: Typed) {
  const price = priceProblem(readPrice(amount))
  return {
    code: /^[a-z0-9]{4,20}$/i.test(code.trim()) ? '' : 'Enter 4 to 20 letters and digits.',
    percent: kind === 'percent' && !isWhole(percent, 100) ? 'Enter a whole number from 1 to 100.' : '',
    amount: kind === 'amount' && price ? price.replace(/^Price/, 'The amount') : '',
    products: productIds?.length === 0 ? 'Choose a product.' : '',
    mostUses: mostUses === '' || isWhole(mostUses, 1_000_000) ? '' : 'Enter a number up to 1,000,000.',
    mostPerBuyer: mostPerBuyer === '' || isWhole(mostPerBuyer, 1000) ? '' : 'Enter a number up to 1,000.',
    lastDay: firstDay && lastDay && lastDay < firstDay ? 'The last day is before the first.' : '',
  }
}

/** A day that was not edited keeps its moment: a code that was ended at noon does not end at midnight. */
function wordsOf(typed: Typed, before: OwnDiscount | null): DiscountWords {
  const isSame = (field: 'firstDay' | 'lastDay') => typed[field] === typedOf(before)[field]
  return {
    code: typed.code,
    percent: typed.kind === 'percent' ? Number(typed.percent) : null,
    amount: typed.kind === 'amount' ? readPrice(typed.amount) : null,
    productIds: typed.productIds,
    isFirstOnly: typed.isFirstOnly,
    startsAt: isSame('firstDay') ? (before?.startsAt ?? null) : momentOf(typed.firstDay),
    endsAt: isSame('lastDay') ? (before?.endsAt ?? null) : momentOf(typed.lastDay, 1),
    mostUses: typed.mostUses === '' ? null : Number(typed.mostUses),
    mostPerBuyer: typed.mostPerBuyer === '' ? null : Number(typed.mostPerBuyer),
  }
}

type CodeFormProps = { code: OwnDiscount | null; onClose: () => void }

function CodeForm({ code, onClose }: CodeFormProps) {
  const [typed, setTyped] = useState(() => typedOf(code))
  const [isTried, setTried] = useState(false)
  const put = (change: Partial<Typed>) => setTyped((before) => ({ ...before, ...change }))
  const { refresh } = useDiscounts()
  const { data: products = [] } = useQuery(productsQuery)
  const save = useMutation({
    mutationFn: () => {
      const words = wordsOf(typed, code)
      return code ? call(changeDiscount, { id: code.id, ...words }) : call(addDiscount, words)
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
  const refused = save.error && (reasonOf(save.error, isRefusal) ?? 'That didn’t work. Please try again.')
  const errorOf = (name: keyof typeof problems) => {
    const error = (isTried && problems[name]) || (name === 'code' && refused)
    return error ? { error } : {}
  }
  const text = (name: 'code' | 'percent' | 'amount' | 'mostUses' | 'mostPerBuyer') => ({
    autoComplete: 'off',
    maxLength: 20,
    value: typed[name],
    onChange: ({ target }: { target: HTMLInputElement }) => put({ [name]: target.value }),
  })
  const sample = products.find(({ id }) => typed.productIds?.includes(id) ?? true)
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
      <Field label="Code" hint="4 to 20 letters and digits, in any case." {...errorOf('code')}>
        {(field) => <input {...field} {...text('code')} className="input mono" autoCapitalize="characters" />}
      </Field>
      <div className="formgrid">
        <div className="field">
          <strong className="text-14" aria-hidden>
            Takes off
          </strong>
          <Segment label="Takes off" options={[...KINDS]} value={typed.kind} onChange={(kind) => put({ kind })} />
        </div>
        {typed.kind === 'percent' ? (
          <Field label="Percent" hint={sampleOf(sample, typed)} {...errorOf('percent')}>
            {(field) => <input {...field} {...text('percent')} className="input num" inputMode="numeric" />}
          </Field>
        ) : (
          <Field label="Amount" note="USD, off an order" hint={sampleOf(sample, typed)} {...errorOf('amount')}>
            {(field) => <input {...field} {...text('amount')} className="input num" inputMode="decimal" />}
          </Field>
        )}
      </div>
      <Field label="For" {...errorOf('products')}>
        {(field) => (
          <Select
            {...field}
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
          {[...new Map([...(code?.products ?? []), ...products].map(({ id, title }) => [id, title]))].map(
            ([id, title]) => (
              <label key={id} className="check wrap-anywhere">
                <input
                  type="checkbox"
                  checked={typed.productIds!.includes(id)}
                  onChange={({ target }) => {
                    const others = typed.productIds!.filter((one) => one !== id)
                    put({ productIds: target.checked ? [...others, id] : others })
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
          {(field) => <input {...field} {...text('mostUses')} className="input num" inputMode="numeric" />}
        </Field>
        <Field label="Times a buyer" hint="Empty: no limit" {...errorOf('mostPerBuyer')}>
          {(field) => <input {...field} {...text('mostPerBuyer')} className="input num" inputMode="numeric" />}
        </Field>
      </div>
      <div className="formgrid">
        <Field label="First day" hint="Empty: from now on">
          {(field) => (
            <input
              {...field}
              className="input num"
              type="date"
              value={typed.firstDay}
              onChange={({ target }) => put({ firstDay: target.value })}
            />
          )}
        </Field>
        <Field label="Last day" hint="Empty: no end" {...errorOf('lastDay')}>
          {(field) => (
            <input
              {...field}
              className="input num"
              type="date"
              value={typed.lastDay}
              onChange={({ target }) => put({ lastDay: target.value })}
            />
          )}
        </Field>
      </div>
      {code && <Ending code={code} onClose={onClose} />}
    </DialogForm>
  )
}

/** 'Night Trains: $8.50 to $6.80' */
function sampleOf(product: { title: string; price: string } | undefined, { kind, percent, amount }: Typed): string {
  const isPercent = kind === 'percent'
  const price = readPrice(amount)
  if (!product || (isPercent ? !isWhole(percent, 100) : priceProblem(price))) return ''
  const cents = toCents(product.price)
  const terms = { id: '', percent: isPercent ? Number(percent) : null, amountCents: isPercent ? null : toCents(price) }
  const left = cents - shareDiscount([cents], terms)[0]!
  const why = left === 1 && cents > 1 ? '. A cent stays, because an order can’t be free yet' : ''
  return `${product.title}: ${usd(cents)} to ${usd(left)}${why}`
}

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
