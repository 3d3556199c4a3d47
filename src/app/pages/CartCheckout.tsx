import { useState } from 'react'
import { cartCents } from '../../cart/cart.rules.ts'
import type { useCart } from '../../cart/useCart.ts'
import { OrderSummary } from '../../cart/OrderSummary.tsx'
import { PayButtons } from '../../checkout/PayButtons.tsx'
import { toCents, toDecimal } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { BonusPromise } from '../../payments/BonusPromise.tsx'
import type { Credit } from '../../payments/credit.contract.ts'
import { creditTowards } from '../../payments/credit.rules.ts'
import { Switch } from '../../ui/form/Switch.tsx'

type CartCheckoutProps = {
  items: ReturnType<typeof useCart>['items']
  /** Undefined when it failed to load; the cart then uses none. */
  credit: Credit | undefined
}

export function CartCheckout({ items, credit }: CartCheckoutProps) {
  const [usesCredit, setUsesCredit] = useState(true)
  const cents = cartCents(items)
  const spendable = credit ? toCents(credit.balance) : 0
  const creditCents = usesCredit ? creditTowards(cents, spendable) : 0
  return (
    <aside className="split__side" aria-label="Order Summary">
      <OrderSummary cents={cents} creditCents={creditCents}>
        {spendable > 0 && (
          <Switch
            label="Use store credit"
            hint={`You have ${usd(spendable)}`}
            isOn={usesCredit}
            onChange={setUsesCredit}
          />
        )}
        <PayButtons
          items={items.map(({ productId, quantity, product: { price } }) => ({ productId, quantity, price }))}
          total={toDecimal(cents)}
          credit={toDecimal(creditCents)}
        />
        {credit?.bonus && <BonusPromise bonus={credit.bonus} />}
      </OrderSummary>
    </aside>
  )
}
