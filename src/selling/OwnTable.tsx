import { Ellipsis } from 'lucide-react'
import type { RefObject } from 'react'
import { describeRated } from '../catalogue/rated.rules.ts'
import { ProductImage } from '../catalogue/covers/ProductImage.tsx'
import { toCents } from '../kit/money.ts'
import { formatDay } from '../localisation/dates.rules.ts'
import { plural } from '../localisation/plural.rules.ts'
import { priceText, usd } from '../localisation/usd.rules.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Link } from '../ui/Link.tsx'
import type { OwnProduct } from './selling.contract.ts'
import { StandingBadge } from './StandingBadge.tsx'

type OwnTableProps = {
  products: OwnProduct[]
  body: RefObject<HTMLTableSectionElement | null>
  chosen: Set<string>
  onChoose: (ids: string[], isChosen: boolean) => void
  onOptions: (product: OwnProduct) => void
}

export function OwnTable({ products, body, chosen, onChoose, onOptions }: OwnTableProps) {
  const all = products.map(({ id }) => id)
  const isAll = all.every((id) => chosen.has(id))
  return (
    <div className="tablewrap">
      <table className="goods-table">
        <caption className="sr">My products</caption>
        <thead>
          <tr>
            <td>
              <Tick
                label="Select all"
                isOn={isAll}
                isPartly={!isAll && chosen.size > 0}
                onChange={(isOn) => onChoose(all, isOn)}
              />
            </td>
            {['Product', 'Status', 'Price', 'Stock', 'Sales', 'Views, 30 d', 'Rating'].map((name, i) => (
              <th key={name} scope="col" className={i > 1 ? 'r' : undefined}>
                {name}
              </th>
            ))}
            <th scope="col">
              <span className="sr">Options</span>
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {products.map((product) => (
            <OwnRow
              key={product.id}
              product={product}
              isChosen={chosen.has(product.id)}
              onChoose={(isOn) => onChoose([product.id], isOn)}
              onOptions={() => onOptions(product)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type OwnRowProps = {
  product: OwnProduct
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
  onOptions: () => void
}

function OwnRow({ product, isChosen, onChoose, onOptions }: OwnRowProps) {
  const { id, title, price, suggested, stock, sales, views, rated } = product
  return (
    <tr className={isChosen ? 'is-picked' : undefined}>
      <td>
        <Tick label={`Select ${title}`} isOn={isChosen} onChange={onChoose} />
      </td>
      <th scope="row">
        <span className="goods-table__name">
          <ProductImage product={product} sizes="4rem" className="thumb thumb--sm" />
          <Link className="clamp-3" href={`/my-products/${id}`}>
            {title}
          </Link>
        </span>
      </th>
      <td className="goods-table__state">
        <StatusOf product={product} />
      </td>
      <td className="r">{suggested ? `From ${usd(toCents(price))}` : priceText(toCents(price))}</td>
      <td className={stock === 0 ? 'r' : 'r goods-table__more'}>
        {stock === null ? 'No limit' : stock === 0 ? 'Sold out' : plural(stock, 'code')}
      </td>
      <td className="r goods-table__sold">
        {sales.toLocaleString('en')}
        <span> sold</span>
      </td>
      <td className="r goods-table__more">{views.toLocaleString('en')}</td>
      <td className="r goods-table__more goods-table__rating">{rated ? describeRated(rated) : 'None yet'}</td>
      <td>
        <IconButton
          label={`Options of ${title}`}
          icon={<Ellipsis className="icon" aria-hidden />}
          onClick={onOptions}
        />
      </td>
    </tr>
  )
}

function StatusOf({ product }: { product: OwnProduct }) {
  const { id, title, status, delivery, withdrawnAt } = product
  const add = delivery === 'code' ? 'Add codes' : delivery === 'course' ? 'Add lessons' : 'Add file'
  return (
    <>
      <StandingBadge product={product} />
      {status === 'incomplete' && (
        <Link className="link small" href={`/my-products/${id}`} aria-label={`${add} to ${title}`}>
          {add}
        </Link>
      )}
      {withdrawnAt && <span className="muted small">By you on {formatDay(withdrawnAt)}</span>}
    </>
  )
}

type TickProps = { label: string; isOn: boolean; isPartly?: boolean; onChange: (isOn: boolean) => void }

const Tick = ({ label, isOn, isPartly = false, onChange }: TickProps) => (
  <label className="tick">
    <input
      type="checkbox"
      aria-label={label}
      checked={isOn}
      ref={(box) => {
        if (box) box.indeterminate = isPartly
      }}
      onChange={({ target }) => onChange(target.checked)}
    />
  </label>
)
