import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { readPrice } from '../../catalogue/price.rules.ts'
import { DollarField } from '../../catalogue/price/DollarField.tsx'
import { isFaultless, MAX_NAME_LENGTH, MAX_VARIANTS, variantProblems } from '../../catalogue/variants/variants.rules.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { toCents } from '../../kit/money.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { priceText } from '../../localisation/usd.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Link } from '../../ui/Link.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { Part } from '../Part.tsx'
import { getOwnProduct, type OwnDetail, type OwnVariant, setVariants } from '../selling.contract.ts'
import { useFreshOwn } from '../useStanding.ts'

/** A variant in the form; a new one has no `saved`. */
type Row = { key: string; name: string; price: string; isActive: boolean; saved: OwnVariant | null }

const rowsOf = ({ variants }: OwnDetail): Row[] =>
  variants.map((saved) => ({ key: saved.id, name: saved.name, price: saved.price, isActive: saved.isActive, saved }))

const wordsOf = (rows: Row[]) =>
  rows.map(({ name, price, isActive, saved }) => ({
    ...(saved && { id: saved.id }),
    ...{ name: name.trim(), price: readPrice(price), isActive },
  }))

const isSame = (product: OwnDetail, rows: Row[]) =>
  JSON.stringify(wordsOf(rows)) === JSON.stringify(wordsOf(rowsOf(product)))

export function VariantsEditor({ product }: { product: OwnDetail }) {
  const { id, version, delivery, bundles } = product
  const isInBundle = bundles.length > 0 && product.variants.length === 0
  const cache = useQueryClient()
  const refresh = useFreshOwn()
  const [base, setBase] = useState(product)
  const [rows, setRows] = useState(() => rowsOf(product))
  const [isTried, setTried] = useState(false)
  if (version !== base.version && (isSame(base, rows) || isSame(base, rowsOf(product)))) {
    setBase(product)
    if (isSame(base, rows)) setRows(rowsOf(product))
  }
  const words = wordsOf(rows)
  const problems = variantProblems(words, { mayBeFree: delivery === 'file' })
  const change = (key: string, part: Partial<Row>) =>
    setRows((now) => now.map((row) => (row.key === key ? { ...row, ...part } : row)))
  const move = (from: number, to: number) =>
    setRows((now) => {
      const next = now.toSpliced(from, 1)
      return next.toSpliced(to, 0, now[from]!)
    })
  const save = useMutation({
    mutationFn: () => call(setVariants, { id, version: base.version, variants: words }),
    onSuccess: (saved) => {
      cache.setQueryData(keyOf(getOwnProduct, { id }), saved)
      setBase(saved)
      setRows(rowsOf(saved))
      setTried(false)
      toast({ title: 'Variants saved', tone: 'good' })
    },
    onError: (error) => toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t save that. Please try again.'),
    onSettled: refresh,
  })
  const submit = () => {
    setTried(true)
    if (isFaultless(problems)) save.mutate()
  }
  const add = () =>
    setRows((now) => [...now, { key: crypto.randomUUID(), name: '', price: '', isActive: true, saved: null }])
  return (
    <Part
      title="Variants"
      about="Denominations, licence tiers, editions. Buyers choose one on the page of the product. Each has its own price and its own goods."
    >
      {isInBundle && (
        <p role="status">
          This product is part of {isolateRtl(bundles.map(({ title }) => `“${title}”`).join(', '))}, and a part has no
          variants. Take it out{' '}
          <Link className="text-link" href={`/my-products/${bundles[0]!.id}`}>
            there
          </Link>{' '}
          first.
        </p>
      )}
      <form
        noValidate
        className="stack gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) submit()
        }}
      >
        <ol className="stack gap-4 wrap-anywhere">
          {rows.map(({ key, name, price, isActive, saved }, i) => {
            const shown = name.trim() || `variant ${i + 1}`
            const { name: wrongName, price: wrongPrice } = isTried ? problems[i]! : {}
            return (
              <li key={key} className="stack gap-2">
                <div className="formgrid">
                  <Field label={`Name of variant ${i + 1}`} {...(wrongName && { error: wrongName })}>
                    {(control) => (
                      <input
                        className="input"
                        autoComplete="off"
                        maxLength={MAX_NAME_LENGTH}
                        value={name}
                        onChange={({ target }) => change(key, { name: target.value })}
                        {...control}
                      />
                    )}
                  </Field>
                  <DollarField
                    label={`Price of ${shown}`}
                    value={price}
                    error={wrongPrice}
                    onChange={(typed) => change(key, { price: typed })}
                    onLeave={() => undefined}
                  />
                </div>
                <div className="row row--between">
                  <span className="small">
                    {saved ? (
                      <>
                        <Link className="text-link" href={`/my-products/${saved.id}`}>
                          {delivery === 'code' ? 'Codes' : delivery === 'license' ? 'Terms of its keys' : 'Files'} of{' '}
                          {saved.name}
                        </Link>
                        <span className="muted num"> {describe(saved)}</span>
                      </>
                    ) : (
                      <span className="muted">New. Save it, then add its goods.</span>
                    )}
                  </span>
                  <span className="row gap-1">
                    <IconButton
                      label={`Move ${shown} up`}
                      icon={<ArrowUp className="icon" aria-hidden />}
                      disabled={i === 0}
                      onClick={() => move(i, i - 1)}
                    />
                    <IconButton
                      label={`Move ${shown} down`}
                      icon={<ArrowDown className="icon" aria-hidden />}
                      disabled={i === rows.length - 1}
                      onClick={() => move(i, i + 1)}
                    />
                    {!saved?.isKept && (
                      <IconButton
                        label={`Delete ${shown}`}
                        icon={<Trash2 className="icon" aria-hidden />}
                        onClick={() => setRows((now) => now.filter((row) => row.key !== key))}
                      />
                    )}
                  </span>
                </div>
                <Switch
                  label={`${shown} is on sale`}
                  isOn={isActive}
                  onChange={(isOn) => change(key, { isActive: isOn })}
                />
              </li>
            )
          })}
        </ol>
        {delivery === 'code' && product.variants.length === 0 && (product.stock ?? 0) > 0 && (
          <p className="muted small">
            The codes that it has go to the first variant that costs {priceText(toCents(product.price))}.
          </p>
        )}
        <div className="row">
          <Button tone="soft" disabled={rows.length >= MAX_VARIANTS || isInBundle} onClick={add}>
            Add a variant
          </Button>
          {!isSame(base, rows) && (
            <>
              <Button
                tone="ghost"
                onClick={() => {
                  setBase(product)
                  setRows(rowsOf(product))
                }}
              >
                Discard
              </Button>
              <Button tone="primary" type="submit" isBusy={save.isPending}>
                Save variants
              </Button>
            </>
          )}
        </div>
      </form>
    </Part>
  )
}

function describe({ stock, sales, isActive, isOnSale }: OwnVariant): string {
  const left = stock === null ? '' : `${stock.toLocaleString('en')} left, `
  return `${left}${plural(sales, 'sale')}${isActive && !isOnSale ? ', not for sale yet' : ''}`
}
