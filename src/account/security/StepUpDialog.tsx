import { useMutation, useQuery } from '@tanstack/react-query'
import { Fingerprint, Mail } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { type KeyOptionsText, showKey } from '../../identity/passkeys/webauthn.client.ts'
import {
  beginStepUp,
  getStepUp,
  mailStepUpCode,
  type StepUp,
  verifyIdentity,
} from '../../identity/second-factor/stepUp.contract.ts'
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
        {data.ways.includes('mail') ? (
          <MailedCode onClose={onClose} onProven={onProven} />
        ) : (
          <Proof ways={data.ways} onClose={onClose} onProven={onProven} />
        )}
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

type ProofProps = Pick<StepUpDialogProps, 'onClose' | 'onProven'>

/** The proof of an account that has no password, passkey or second factor. */
function MailedCode({ onClose, onProven }: ProofProps) {
  const { user } = useSession()
  const mail = useMutation({ mutationFn: () => call(mailStepUpCode, {}) })
  const type = useMutation({
    mutationFn: (mailedCode: string) => call(verifyIdentity, { mailedCode }),
    onSuccess: onProven,
  })
  if (mail.data)
    return (
      <Focused>
        <AskStep
          asks="code"
          hint="The six-digit code from the email. It works for ten minutes."
          label="Verify"
          step={type}
          onSend={type.mutate}
          onCancel={onClose}
        >
          <p role="status">We emailed a code to {mail.data.sentTo}.</p>
        </AskStep>
      </Focused>
    )
  const problem = problemOf(mail.error, 'We couldn’t send the code. Please try again.')
  return (
    <>
      <DialogBody>
        <p>This account has no password. We email a code to {user?.email ?? 'you'}.</p>
        <Problem>{problem?.message}</Problem>
        <Button
          isWide
          icon={<Mail className="icon" aria-hidden />}
          isBusy={mail.isPending}
          onClick={() => mail.mutate()}
        >
          Email me a code
        </Button>
      </DialogBody>
      <DialogFoot onCancel={onClose} />
    </>
  )
}

function Proof({ ways, onClose, onProven }: ProofProps & { ways: StepUp['ways'] }) {
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
  const asked = ways.find((way) => way === 'code' || way === 'password')
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
      <DialogBody>{passkey}</DialogBody>
      <DialogFoot onCancel={onClose} />
    </>
  )
}
