import { useMutation } from '@tanstack/react-query'
import { call } from '../kit/call.client.ts'
import { Failure } from '../kit/failure.ts'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { toast } from '../ui/toasts/toast.client.ts'
import { confirmOrder, type OrderHold } from './hold.contract.ts'

const DECIDED = 'This was already decided. See the order for details.'

export const useConfirmOrder = (orderId: string, { kind }: Pick<OrderHold, 'kind'>, refresh: () => Promise<unknown>) =>
  useMutation({
    mutationFn: () => call(confirmOrder, { id: orderId }),
    onSuccess: async () => {
      await refresh()
      toast({
        title: 'Thank you',
        description: kind === 'step_up' ? 'You can finish the payment now.' : 'Your order is being delivered.',
      })
    },
    onError: async (error) => {
      const isDecided = error instanceof Failure && error.code === 'decided'
      toastFailure(error, isDecided ? DECIDED : 'We couldn’t confirm it. Please try again.')
      if (isDecided) await refresh()
    },
  })
