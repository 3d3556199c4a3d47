import { useMutation } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useLocation } from 'wouter'
import { getCart } from '../../cart/cart.contract.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { inOrder, keyOf, queryClient } from '../../kit/query/query.client.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { Order } from '../orders.contract.ts'
import { buyAgain } from './again.contract.ts'
import { canBuyAgain, describeAgain } from './again.rules.ts'

export function BuyAgain({ order }: { order: Order }) {
  const [, navigate] = useLocation()
  const again = useMutation({
    // waits for cart changes that are in progress
    mutationFn: () => inOrder('cart', () => call(buyAgain, { id: order.id })),
    onSuccess: (done) => {
      void queryClient.invalidateQueries({ queryKey: keyOf(getCart, {}) })
      const description = describeAgain(done)
      if (done.added === 0) return toast({ title: 'Nothing to add', description })
      const action = {
        label: 'View cart',
        hint: 'Open the cart from the top of any page',
        run: () => navigate('/cart'),
      }
      toast({ title: 'Added to cart', description, action })
    },
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t fill your cart. Please try again.'),
  })
  if (!canBuyAgain(order)) return null
  return (
    <Button
      tone="quiet"
      icon={<RotateCw className="icon" aria-hidden />}
      isBusy={again.isPending}
      onClick={() => again.mutate()}
    >
      Buy again
    </Button>
  )
}
