import './secondFactor.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Copy, Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type CurrentUser, getCurrentUser } from '../../identity/identity.contract.ts'
import {
  type Enrolment,
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
} from '../../identity/second-factor/secondFactor.contract.ts'
import { inGroups } from '../../identity/second-factor/totp.rules.ts'
import { call } from '../../kit/call.client.ts'
import { keyOf, query } from '../../kit/query/query.client.ts'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.client.ts'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { DialogProps } from '../../ui/useDialog.ts'
import { AskStep } from './AskStep.tsx'

const secondFactorQuery = query(getSecondFactor, {})

export const TwoFactorDialog = (dialog: DialogProps & { email: string }) => (
  <Dialog {...dialog} title="Two-Factor Authentication">
    <Steps {...dialog} />
  </Dialog>
)

function Steps({ onClose, email }: DialogProps & { email: string }) {
  const { status, begin, confirm, renew, end } = useSecondFactor()
  const [wish, setWish] = useState<'renew' | 'end'>()
  const confirmOff = () => {
    onClose()
    toast({ title: 'Two-factor authentication is off', description: 'You now sign in with just your password.' })
  }
  const codes = renew.data?.recoveryCodes ?? confirm.data?.recoveryCodes

  if (codes) return <RecoveryCodes codes={codes} onDone={onClose} />
  if (begin.data)
    return (
      <AskStep
        asks="code"
        label="Turn on"
        key="code"
        step={confirm}
        onSend={confirm.mutate}
        otherwise="We couldn’t turn it on. Please try again."
        onCancel={onClose}
      >
        <KeyCard enrolment={begin.data} />
      </AskStep>
    )
  if (wish)
    return (
      <AskStep
        asks="password"
        email={email}
        label={wish === 'end' ? 'Turn off' : 'New codes'}
        tone={wish === 'end' ? 'bad' : 'primary'}
        key={wish}
        step={wish === 'end' ? end : renew}
        onSend={(password) =>
          wish === 'end' ? end.mutate(password, { onSuccess: confirmOff }) : renew.mutate(password)
        }
        onCancel={() => setWish(undefined)}
      >
        <p>
          {wish === 'end'
            ? 'You’ll sign in with just your password. Your authenticator key and recovery codes will stop working.'
            : 'You’ll get ten new recovery codes, and your current ones will stop working.'}
        </p>
      </AskStep>
    )
  if (status.data?.isOn)
    return (
      <>
        <DialogBody>
          <p>Signing in takes your password and a code from your authenticator app.</p>
          <p className="muted">{leftText(status.data.recoveryCodesLeft)}</p>
        </DialogBody>
        <DialogFoot>
          <Button tone="bad-line" onClick={() => setWish('end')}>
            Turn off
          </Button>
          <Button onClick={() => setWish('renew')}>New recovery codes</Button>
          <Button onClick={onClose}>Close</Button>
        </DialogFoot>
      </>
    )
  if (status.isPending)
    return (
      <DialogBody>
        <Skeleton height="10rem" />
      </DialogBody>
    )
  return (
    <AskStep
      asks="password"
      email={email}
      label="Continue"
      key="password"
      step={begin}
      onSend={begin.mutate}
      onCancel={onClose}
    >
      <p>
        With two-factor authentication, a password alone isn’t enough to sign in. You’ll also need a six-digit code from
        an authenticator app on your phone.
      </p>
    </AskStep>
  )
}

const leftText = (left: number) =>
  left === 0
    ? 'You have no recovery codes left. Create new ones so a lost phone doesn’t lock you out.'
    : `${left} of 10 recovery codes ${left === 1 ? 'is' : 'are'} left, in case you can’t use the app.`

const KeyCard = ({ enrolment: { key, uri, qr } }: { enrolment: Enrolment }) => (
  <div className="keycard">
    <svg className="keycard__qr" viewBox={`0 0 ${qr.size} ${qr.size}`} shapeRendering="crispEdges" role="img">
      <title>QR code with the setup key; the same key is shown next to it as text</title>
      <rect width={qr.size} height={qr.size} fill="#fff" />
      <path d={qr.path} fill="#000" />
    </svg>
    <div className="stack gap-2">
      <p>Scan this with your authenticator app, or type the key:</p>
      <code>{inGroups(key, ' ')}</code>
      <div className="row gap-2">
        <Button icon={<Copy className="icon" aria-hidden />} onClick={() => void copyText(key, 'The key')}>
          Copy
        </Button>
        <a className="btn btn--quiet" href={uri}>
          Open in app
        </a>
      </div>
    </div>
  </div>
)

function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = codes.join('\n')
  const said = useRef<HTMLParagraphElement>(null)
  // moves the focus, because the field that had it was removed
  useEffect(() => said.current?.focus(), [])
  return (
    <>
      <DialogBody>
        <p ref={said} tabIndex={-1}>
          <strong>Two-factor authentication is on.</strong> Keep these recovery codes where you will find them without
          your phone. Each signs you in once, and they are shown only now.
        </p>
        <ul className="codes num">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div className="row gap-2">
          <Button
            icon={<Copy className="icon" aria-hidden />}
            onClick={() => void copyText(text, 'The list of recovery codes')}
          >
            Copy
          </Button>
          <Button icon={<Download className="icon" aria-hidden />} onClick={() => save(text)}>
            Save as a file
          </Button>
        </div>
      </DialogBody>
      <DialogFoot>
        <Button tone="primary" onClick={onDone}>
          I have kept them
        </Button>
      </DialogFoot>
    </>
  )
}

function save(text: string) {
  const url = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'recovery-codes.txt'
  link.click()
  URL.revokeObjectURL(url)
}

function useSecondFactor() {
  const cache = useQueryClient()
  const know = (isOn: boolean, recoveryCodesLeft: number) => {
    cache.setQueryData(secondFactorQuery.queryKey, { isOn, recoveryCodesLeft })
    cache.setQueryData<CurrentUser>(
      keyOf(getCurrentUser, {}),
      (user) => user && { ...user, twoFactorEnabled: isOn, needsFactor: user.needsFactor && !isOn },
    )
  }
  return {
    status: useQuery({ ...secondFactorQuery, refetchOnMount: 'always' }),
    begin: useMutation({ mutationFn: (password: string) => call(beginSecondFactor, { password }) }),
    confirm: useMutation({
      mutationFn: (code: string) => call(confirmSecondFactor, { code }),
      onSuccess: ({ recoveryCodes }) => know(true, recoveryCodes.length),
    }),
    renew: useMutation({
      mutationFn: (password: string) => call(renewRecoveryCodes, { password }),
      onSuccess: ({ recoveryCodes }) => know(true, recoveryCodes.length),
    }),
    end: useMutation({
      mutationFn: (password: string) => call(endSecondFactor, { password }),
      onSuccess: ({ isOn, recoveryCodesLeft }) => know(isOn, recoveryCodesLeft),
    }),
  }
}
