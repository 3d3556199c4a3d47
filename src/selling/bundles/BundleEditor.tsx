import { useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { FEWEST_PARTS, MAX_PARTS } from '../../catalogue/bundles/split.rules.ts'
import { toCents } from '../../kit/money.ts'
import { query } from '../../kit/query/query.client.ts'
import { priceText } from '../../localisation/usd.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Part } from '../Part.tsx'
import { listParts, type OwnDetail } from '../selling.contract.ts'
import { useBundleParts } from './useBundleParts.ts'

export function BundleEditor({ product }: { product: OwnDetail }) {
  const { parts, price } = product
  const { data: choices = [] } = useQuery(query(listParts, {}))
  const { chosen, isUntouched, isSaving, save, add, remove, move, discard } = useBundleParts(product)
  const known = new Map([...choices, ...parts].map((part) => [part.id, part]))
  const rest = choices.filter((part) => !chosen.includes(part.id))
  const alone = chosen.reduce((sum, one) => sum + toCents(known.get(one)?.price ?? '0'), 0)
  const savedCents = alone - toCents(price)
  return (
    <Part
      title="Products in this bundle"
      about={`From ${FEWEST_PARTS} to ${MAX_PARTS} of your own products for one price. It is on sale while all of them are.`}
    >
      <ol className="list">
        {chosen.map((partId, i) => {
          const part = known.get(partId)
          const title = part?.title ?? 'A product'
          return (
            <li key={partId} className="list__row">
              <span className="grow">
                <strong className="text-14 wrap-anywhere">{title}</strong>
                <small>
                  {part && priceText(toCents(part.price))}
                  {part && !part.isOnSale && ', not for sale at the moment'}
                </small>
              </span>
              <IconButton
                label={`Move ${title} up`}
                icon={<ArrowUp className="icon" aria-hidden />}
                disabled={i === 0}
                onClick={() => move(i, i - 1)}
              />
              <IconButton
                label={`Move ${title} down`}
                icon={<ArrowDown className="icon" aria-hidden />}
                disabled={i === chosen.length - 1}
                onClick={() => move(i, i + 1)}
              />
              <IconButton
                label={`Take ${title} out`}
                icon={<X className="icon" aria-hidden />}
                onClick={() => remove(partId)}
              />
            </li>
          )
        })}
      </ol>
      {chosen.length < MAX_PARTS && rest.length > 0 && (
        <Field label="Add a product">
          {(control) => (
            <Select
              placeholder="Choose one"
              options={rest.map((part) => ({
                value: part.id,
                label: `${part.title}, ${priceText(toCents(part.price))}`,
              }))}
              value=""
              onChange={({ target }) => target.value && add(target.value)}
              {...control}
            />
          )}
        </Field>
      )}
      {chosen.length >= FEWEST_PARTS && (
        <p className="small" role="status">
          Alone they cost {priceText(alone)}.{' '}
          {savedCents > 0 ? `Buyers save ${priceText(savedCents)}.` : 'Buyers save nothing at this price.'}
        </p>
      )}
      {!isUntouched && (
        <div className="row">
          <Button tone="ghost" onClick={discard}>
            Discard
          </Button>
          <Button tone="primary" isBusy={isSaving} disabled={chosen.length < FEWEST_PARTS} onClick={save}>
            Save bundle
          </Button>
        </div>
      )}
      {chosen.length < FEWEST_PARTS && <p className="muted small">Choose {FEWEST_PARTS} products at least.</p>}
    </Part>
  )
}
