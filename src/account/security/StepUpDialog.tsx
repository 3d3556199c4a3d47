import { useMutation, useQuery } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { type KeyOptionsText, showKey } from '../../identity/passkeys/webauthn.client.ts'
import { beginStepUp, getStepUp, type StepUp, verifyIdentity } from '../../identity/second-factor/stepUp.contract.ts'
import { useSession } from '../../identity/sessions/useSession.ts'
import { call } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { Button } from '../../ui/Button.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { AskStep } from './AskStep.tsx'
import { problemOf } from '../useAccount.ts'
import type { DialogProps } from '../../ui/useDialog.ts'

type StepUpDialogProps = DialogProps & { onProven: () => void }

export const StepUpDialog = (dialog: StepUpDialogProps) => (
  <Dialog {...dialog} title="Verify your identity" description="Please verify your identity to continue.">
    <Ways {...dialog} />
  </Dialog>
)

function Ways({ onClose, onProven }: StepUpDialogProps) {
  const { data, isError, isFetching, refetch } = useQuery({ ...query(getStepUp, {}), refetchOnMount: 'always' })
  if (data && !isFetching)
    return (
      <Focused>
        <Proof ways={data.ways} onClose={onClose} onProven={onProven} />
      </Focused>
    )
  return (
    <>
      <DialogBody>
        {isError && !isFetching ? (
          <ErrorState title="Couldn’t load your sign-in options" onRetry={refetch} />
        ) : (
          <Skeleton height="5rem" />
        )}
      </DialogBody>
      <DialogFoot onCancel={onClose} />
    </>
  )
}

/** Moves the initial focus from Close to the first way of proof, unless the member has moved it. */
function Focused({ children }: { children: ReactNode }) {
  const part = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { activeElement, body } = document
    const isUnmoved = activeElement === body || activeElement?.matches('.dialog__head button')
    if (isUnmoved) part.current!.querySelector<HTMLElement>('button, input:not([hidden])')?.focus()
  }, [])
  return (
    <div ref={part} className="contents">
      {children}
    </div>
  )
}

function Proof({ ways, onClose, onProven }: { ways: StepUp['ways']; onClose: () => void; onProven: () => void }) {
  const { user } = useSession()
  const type = useMutation({
    mutationFn: (typed: string) => call(verifyIdentity, ways.includes('code') ? { code: typed } : { password: typed }),
    onSuccess: onProven,
  })
  const touch = useMutation({
    mutationFn: async () => {
      const options = (await call(beginStepUp, {})) as KeyOptionsText
      return call(verifyIdentity, { passkey: await showKey(options) })
    },
    onSuccess: onProven,
  })
  const problem = problemOf(touch.error, 'No passkey was used. Please try again.')
  const passkey = ways.includes('passkey') && (
    <>
      <Button
        isWide
        icon={<Fingerprint className="icon" aria-hidden />}
        isBusy={touch.isPending}
        onClick={() => touch.mutate()}
      >
        Use a passkey
      </Button>
      <Problem>{problem?.message}</Problem>
    </>
  )
  const asked = ways.find((way) => way !== 'passkey')
  if (asked)
    return (
      <AskStep
        asks={asked}
        {...(user && { email: user.email })}
        label="Verify"
        step={type}
        onSend={type.mutate}
        onCancel={onClose}
      >
        {passkey}
      </AskStep>
    )
  return (
    <>
      <DialogBody>
        {passkey || <p>This account doesn’t have a password or passkey yet. Sign out and back in to continue.</p>}
      </DialogBody>
      <DialogFoot onCancel={onClose} />
    </>
  )
}
