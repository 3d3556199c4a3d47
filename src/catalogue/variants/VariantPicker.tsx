import { priceText } from '../../localisation/usd.rules.ts'
import { toCents } from '../../kit/money.ts'
import { priceProblem, readPrice } from '../price.rules.ts'
import type { Variant } from '../catalogue.contract.ts'

type VariantPickerProps = { variants: Variant[]; chosenId: string | undefined; onChoose: (variant: Variant) => void }

const isPriceOf = ({ name, price }: Variant) => {
  const named = readPrice(name)
  return name.trim().startsWith('$') && priceProblem(named) === null && toCents(named) === toCents(price)
}

export function VariantPicker({ variants, chosenId, onChoose }: VariantPickerProps) {
  const hasPrices = variants.some(({ price }) => price !== variants[0]!.price)
  return (
    <div className="row gap-2" role="group" aria-label="Variant">
      {variants.map((variant) => (
        <button
          key={variant.id}
          type="button"
          className="chip wrap-anywhere"
          aria-pressed={variant.id === chosenId}
          onClick={() => onChoose(variant)}
        >
          {variant.name}
          {hasPrices && !isPriceOf(variant) && <span className="num"> {priceText(toCents(variant.price))}</span>}
          {variant.isOutOfStock && ' (sold out)'}
        </button>
      ))}
    </div>
  )
}
