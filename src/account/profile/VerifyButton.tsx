import { useMutation } from '@tanstack/react-query'
import { requestVerification } from '../../identity/accounts/account.contract.ts'
import { call } from '../../kit/call.client.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { problemOf } from '../useAccount.ts'

export function VerifyButton() {
  const verify = useMutation({
    mutationFn: () => call(requestVerification, {}),
    onSuccess: ({ sentTo }) =>
      toast({
        title: 'Check your email',
        description: `A link to verify it is on its way to ${sentTo}.`,
        tone: 'good',
      }),
    onError: (error) => {
      const problem = problemOf(error, 'We couldn’t send the email. Please try again.')
      if (problem) toast({ title: 'Error', description: problem.message, tone: 'bad' })
    },
  })
  return (
    <Button tone="quiet" isBusy={verify.isPending} onClick={() => verify.mutate()}>
      Verify
    </Button>
  )
}
