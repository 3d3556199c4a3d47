import { ShoppingCart } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from '../ui/Link.tsx'
import { Tooltip } from '../ui/Tooltip.tsx'
import { useCart } from './useCart.ts'

export function CartLink() {
  const { items } = useCart()
  const units = items.reduce((sum, { quantity }) => sum + quantity, 0)
  const last = useRef(units)
  const [bumps, setBumps] = useState(0)
  useEffect(() => {
    if (units > last.current && last.current > 0) setBumps((count) => count + 1)
    last.current = units
  }, [units])
  return (
    <Tooltip text="Cart">
      <Link href="/cart" className="icon-btn" aria-label={`Cart, ${items.length} item${items.length === 1 ? '' : 's'}`}>
        <ShoppingCart className="icon" aria-hidden />
        {items.length > 0 && (
          <span key={bumps} className={`icon-btn__badge ${bumps > 0 ? 'is-bumped' : ''}`}>
            {items.length}
          </span>
        )}
      </Link>
    </Tooltip>
  )
}
