import './buyBar.css'
import { type RefObject, useEffect, useState } from 'react'
import type { Product } from '../../catalogue/catalogue.contract.ts'
import { ProductPrice } from '../../catalogue/price/ProductPrice.tsx'
import { Button } from '../../ui/Button.tsx'

/** Height of the sticky bar at the top of the page, in pixels. */
const TOP_BAR = 56

export type BuyBarProps = {
  product: Product
  /** The buttons of the ticket. The bar is shown while they are above the visible page. */
  buttons: RefObject<HTMLElement | null>
  label: string
  isBusy: boolean
  isDisabled: boolean
  onPress: () => void
}

/** Title, price and button at the foot of the screen. It has no height in the page, so the content does not move. */
export function BuyBar({ product, buttons, label, isBusy, isDisabled, onPress }: BuyBarProps) {
  const isShown = useIsAbove(buttons)
  return (
    <div className="buybar-place">
      {isShown && (
        <div className="buybar" role="group" aria-label="Price and purchase">
          <span className="grow">
            <ProductPrice product={product} />
            <span className="clamp-1 muted small">{product.title}</span>
          </span>
          <Button tone="primary" isBusy={isBusy} disabled={isDisabled} onClick={onPress}>
            {label}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Returns whether an element has been scrolled out of the page at its top. */
function useIsAbove(element: RefObject<HTMLElement | null>): boolean {
  const [isAbove, setAbove] = useState(false)
  useEffect(() => {
    const { current } = element
    if (!current) return
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1)
        if (entry) setAbove(!entry.isIntersecting)
      },
      // the observed area has no lower end: after a jump over the screen, the element still crosses the upper edge
      { rootMargin: `-${TOP_BAR}px 0px 1000000px 0px` },
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return isAbove
}
