import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { call } from '../../kit/call.client.ts'
import type { Input } from '../../kit/contract.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { retryUnanswered } from '../retry.client.ts'
import { askRefund } from './refund.contract.ts'

type Asked = Omit<Input<typeof askRefund>, 'id'>

/** Requests a refund; the dialog sends the same request under the same key. `refresh` refetches the order. */
export function useRefund(orderId: string, refresh: () => Promise<unknown>) {
  const keys = useRef(new Map<string, string>())
  return useMutation({
    mutationFn: (asked: Asked) => {
      const what = `${asked.amount} ${asked.reason}`
      const key = keys.current.get(what) ?? crypto.randomUUID()
      keys.current.set(what, key)
      const headers = { 'idempotency-key': key }
      return retryUnanswered(() => call(askRefund, { id: orderId, ...asked }, { headers }))
    },
    onSettled: () => refresh().catch(() => undefined),
  })
}

/** The server's reason, or what to do when the answer is lost. */
export function wordsOf(error: Error | null): string | undefined {
  if (!error) return undefined
  return reasonOf(error, isRefusal) ?? 'No answer came. Press again: the same refund is made once.'
}
