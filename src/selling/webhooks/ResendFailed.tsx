import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../kit/call.client.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { replayFailedMessages } from '../../notifications/hooks/hooks.contract.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { useDialog } from '../../ui/useDialog.ts'
import { describeResend, formatFailed } from './resend.rules.ts'
import { failedQuery, LOOK_EVERY_MS, useHookAct } from './useHookAct.ts'

const ConfirmDialog = lazyDialog(() => import('../../ui/ConfirmDialog.tsx'), 'ConfirmDialog')

export function ResendFailed() {
  const { data } = useQuery({ ...failedQuery, refetchOnMount: 'always', refetchInterval: LOOK_EVERY_MS })
  const question = useDialog()
  /** The number when the question opened. It stays while the page polls. */
  const [asked, setAsked] = useState(0)
  const resend = useHookAct(
    () => call(replayFailedMessages, {}),
    ({ queued }) => `Sending ${plural(queued, 'delivery', 'deliveries')} again`,
  )
  const count = data?.count ?? 0
  const { title, about } = describeResend(asked)
  const ask = () => {
    setAsked(count)
    question.open()
  }
  return (
    <>
      {count > 0 && (
        <Button isBusy={resend.isPending} onClick={ask}>
          Resend all failed ({formatFailed(count)})
        </Button>
      )}
      {question.isWanted && (
        <ConfirmDialog {...question.props} title={title} label="Resend" onConfirm={() => resend.mutate()}>
          {about}
        </ConfirmDialog>
      )}
    </>
  )
}
