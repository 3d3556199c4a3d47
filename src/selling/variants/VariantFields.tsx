import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { DollarField } from '../../catalogue/price/DollarField.tsx'
import { MAX_NAME_LENGTH, type VariantProblem } from '../../catalogue/variants/variants.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { Field } from '../../ui/form/Field.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Link } from '../../ui/Link.tsx'
import type { OwnDetail, OwnVariant } from '../selling.contract.ts'
import type { VariantRow } from './useVariantRows.ts'

type VariantFieldsProps = {
  row: VariantRow
  index: number
  isLast: boolean
  delivery: OwnDetail['delivery']
  problems: VariantProblem | undefined
  onChange: (change: Partial<VariantRow>) => void
  onMove: (to: number) => void
  onRemove: () => void
}

export function VariantFields({
  row,
  index,
  isLast,
  delivery,
  problems,
  onChange,
  onMove,
  onRemove,
}: VariantFieldsProps) {
  const { name, price, isActive, saved } = row
  const shown = name.trim() || `variant ${index + 1}`
  return (
    <li className="stack gap-2">
      <div className="formgrid">
        <Field label={`Name of variant ${index + 1}`} {...(problems?.name && { error: problems.name })}>
          {(control) => (
            <input
              className="input"
              autoComplete="off"
              maxLength={MAX_NAME_LENGTH}
              value={name}
              onChange={({ target }) => onChange({ name: target.value })}
              {...control}
            />
          )}
        </Field>
        <DollarField
          label={`Price of ${shown}`}
          value={price}
          error={problems?.price}
          onChange={({ target }) => onChange({ price: target.value })}
        />
      </div>
      <div className="row row--between">
        <Goods saved={saved} delivery={delivery} />
        <span className="row gap-1">
          <IconButton
            label={`Move ${shown} up`}
            icon={<ArrowUp className="icon" aria-hidden />}
            disabled={index === 0}
            onClick={() => onMove(index - 1)}
          />
          <IconButton
            label={`Move ${shown} down`}
            icon={<ArrowDown className="icon" aria-hidden />}
            disabled={isLast}
            onClick={() => onMove(index + 1)}
          />
          {!saved?.isKept && (
            <IconButton label={`Delete ${shown}`} icon={<Trash2 className="icon" aria-hidden />} onClick={onRemove} />
          )}
        </span>
      </div>
      <Switch label={`${shown} is on sale`} isOn={isActive} onChange={(isOn) => onChange({ isActive: isOn })} />
    </li>
  )
}

type GoodsProps = { saved: OwnVariant | null; delivery: OwnDetail['delivery'] }

const Goods = ({ saved, delivery }: GoodsProps) => (
  <span className="small">
    {saved ? (
      <>
        <Link className="text-link" href={`/my-products/${saved.id}`}>
          {delivery === 'code' ? 'Codes' : delivery === 'license' ? 'Terms of its keys' : 'Files'} of {saved.name}
        </Link>
        <span className="muted num"> {describe(saved)}</span>
      </>
    ) : (
      <span className="muted">New. Save it, then add its goods.</span>
    )}
  </span>
)

function describe({ stock, sales, isActive, isOnSale }: OwnVariant): string {
  const left = stock === null ? '' : `${stock.toLocaleString('en')} left, `
  return `${left}${plural(sales, 'sale')}${isActive && !isOnSale ? ', not for sale yet' : ''}`
}
