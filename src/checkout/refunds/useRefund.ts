import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { call } from '../../kit/call.client.ts'
import type { Input } from '../../kit/contract.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { askAgain } from '../askAgain.client.ts'
import { askRefund } from './refund.contract.ts'

type Asked = Omit<Input<typeof askRefund>, 'id'>

/** Asks for a refund, once however often the same is sent while the dialog stands. `refresh` reads the order anew. */
export function useRefund(orderId: string, refresh: () => Promise<unknown>) {
  const keys = useRef(new Map<string, string>())
  return useMutation({
    mutationFn: (asked: Asked) => {
      const what = `${asked.amount} ${asked.reason}`
      const key = keys.current.get(what) ?? crypto.randomUUID()
      keys.current.set(what, key)
      const headers = { 'idempotency-key': key }
      return askAgain(() => call(askRefund, { id: orderId, ...asked }, { headers }))
    },
    onSettled: () => refresh().catch(() => undefined),
  })
}

/** The shop's own words for why it was not asked for, or what to do when no answer came. */
export function wordsOf(error: Error | null): string | undefined {
  if (!error) return undefined
  return reasonOf(error, isRefusal) ?? 'No answer came. Press again: the same refund is made once.'
}
