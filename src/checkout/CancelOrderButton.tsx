import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { addToCart } from '../cart/cart.contract.ts'
import { call } from '../kit/call.client.ts'
import { isConflict, reasonOf } from '../kit/failure.ts'
import { keyOf } from '../kit/query/query.client.ts'
import { shortId } from '../orders/number.rules.ts'
import { getOrder, type Order } from '../purchases/orders.contract.ts'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/toasts/toast.client.ts'
import { retryUnanswered } from './retry.client.ts'
import { cancelOrder } from './checkout.contract.ts'
import { useFreshOrders } from './useFreshOrders.ts'

export function CancelOrderButton({ order }: { order: Order }) {
  const cancel = useCancelOrder(order)
  return (
    <Button
      tone="ghost"
      aria-label={`Cancel order ${shortId(order.id)}`}
      isBusy={cancel.isPending}
      onClick={() => cancel.mutate()}
    >
      Cancel order
    </Button>
  )
}

function useCancelOrder({ id, source, lines }: Order) {
  const [, navigate] = useLocation()
  const cache = useQueryClient()
  const refresh = useFreshOrders()

  async function putInCart() {
    try {
      for (const { productId, quantity } of lines) await call(addToCart, { productId, quantity })
      toast({ title: 'Added to cart', description: 'Product added to your cart successfully!' })
    } catch (error) {
      toastFailure(error, 'Failed to add product to cart.')
    }
    await refresh()
  }

  return useMutation({
    mutationFn: () => retryUnanswered(() => call(cancelOrder, { id })),
    onSuccess: (order) => {
      cache.setQueryData(keyOf(getOrder, { id }), order)
      toast({
        title: 'Order canceled',
        description:
          source === 'cart' ? 'Nothing was charged. Your items are back in your cart.' : 'Nothing was charged.',
        action:
          source === 'cart'
            ? { label: 'Open cart', hint: 'Open the cart from the top of any page', run: () => navigate('/cart') }
            : { label: 'Put in cart', hint: 'Add the product on its own page', run: () => void putInCart() },
      })
    },
    onError: (error) =>
      toastFailure(error, `The order could not be canceled. ${reasonOf(error, isConflict) ?? ''}`.trim()),
    onSettled: refresh,
  })
}
