import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { MAX_VARIANTS } from '../../catalogue/variants/variants.rules.ts'
import { toCents } from '../../kit/money.ts'
import { priceText } from '../../localisation/usd.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Link } from '../../ui/Link.tsx'
import { Part } from '../Part.tsx'
import type { OwnDetail } from '../selling.contract.ts'
import { useVariantRows } from './useVariantRows.ts'
import { VariantFields } from './VariantFields.tsx'

export function VariantsEditor({ product }: { product: OwnDetail }) {
  const { delivery, bundles } = product
  const [bundle] = bundles
  const isInBundle = bundle !== undefined && product.variants.length === 0
  const { rows, problems, isChanged, isSaving, change, move, remove, add, discard, submit } = useVariantRows(product)
  return (
    <Part
      title="Variants"
      about="Denominations, licence tiers, editions. Buyers choose one on the page of the product. Each has its own price and its own goods."
    >
      {isInBundle && (
        <p role="status">
          This product is part of {isolateRtl(bundles.map(({ title }) => `“${title}”`).join(', '))}, and a part has no
          variants. Take it out{' '}
          <Link className="text-link" href={`/my-products/${bundle.id}`}>
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
          submit()
        }}
      >
        <ol className="stack gap-4 wrap-anywhere">
          {rows.map((row, i) => (
            <VariantFields
              key={row.key}
              row={row}
              index={i}
              isLast={i === rows.length - 1}
              delivery={delivery}
              problems={problems[i]}
              onChange={(part) => change(row.key, part)}
              onMove={(to) => move(i, to)}
              onRemove={() => remove(row.key)}
            />
          ))}
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
          {isChanged && (
            <>
              <Button tone="ghost" onClick={discard}>
                Discard
              </Button>
              <Button tone="primary" type="submit" isBusy={isSaving}>
                Save variants
              </Button>
            </>
          )}
        </div>
      </form>
    </Part>
  )
}
