import { isProofMissing, isUnauthorized, proveIdentity } from '../kit/call.client.ts'
import { toast } from '../ui/toasts/toast.client.ts'

export const toastProof = (whenProven?: () => void) =>
  toast({
    title: 'Security Check',
    description: 'Please verify your identity to continue',
    tone: 'bad',
    action: {
      label: 'Verify',
      hint: 'Verify with a passkey, a code, or your password',
      run: () => void proveIdentity().then((isProven) => isProven && whenProven?.()),
    },
  })

export function toastFailure(error: unknown, description: string) {
  if (isProofMissing(error)) toastProof()
  else if (!isUnauthorized(error)) toast({ title: 'Error', description, tone: 'bad' })
}
