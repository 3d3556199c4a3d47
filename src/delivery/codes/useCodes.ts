import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call, fetchUsed } from '../../kit/call.client.ts'
import { readReply } from '../../kit/call.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import {
  type CodeList,
  type CodeState,
  type CodeStock,
  getCodeStock,
  putCodesBack,
  setLowStock,
  voidCodes,
} from './stock.contract.ts'
import { codesPath } from './stock.rules.ts'

export type Typed = { text: string; file: File | null; day: string }

async function sendCodes(productId: string, { text, file, day }: Typed, isPreview: boolean): Promise<CodeList> {
  const query = new URLSearchParams({ ...(isPreview && { preview: 'true' }), ...(day && { expires: day }) })
  const isTable = file?.name.toLowerCase().endsWith('.csv') ?? false
  const response = await fetchUsed(`${codesPath(productId)}?${query}`, {
    method: 'POST',
    headers: { 'content-type': isTable ? 'text/csv' : 'text/plain' },
    body: file ?? text,
  })
  return (await readReply(response)) as CodeList
}

const notifyRefused = (error: unknown, otherwise: string) =>
  toastFailure(error, reasonOf(error, isRefusal) ?? `${otherwise} Please try again.`)

const NOTHING: Typed = { text: '', file: null, day: '' }

export function useNewCodes(productId: string, onChange: () => void) {
  const [typed, setTyped] = useState(NOTHING)
  const [checked, setChecked] = useState<CodeList | null>(null)
  const check = useMutation({
    mutationFn: () => sendCodes(productId, typed, true),
    onSuccess: setChecked,
    onError: (error) => notifyRefused(error, 'We couldn’t check the list.'),
  })
  const add = useMutation({
    mutationFn: () => sendCodes(productId, typed, false),
    onSuccess: ({ fresh }) => {
      setTyped(NOTHING)
      setChecked(null)
      toast({ title: fresh === 1 ? 'One code added' : `${fresh.toLocaleString('en')} codes added`, tone: 'good' })
    },
    onError: (error) => notifyRefused(error, 'We couldn’t add all of the list. Check it again to see what is missing.'),
    onSettled: onChange,
  })
  const type = (change: Partial<Typed>) => {
    setTyped({ ...typed, ...change })
    setChecked(null)
  }
  return { typed, type, checked, check, add, goBack: () => setChecked(null) }
}

const describeReturned = (count: number) =>
  count === 1 ? 'One code is for sale again' : `${count.toLocaleString('en')} codes are for sale again`

export function useCodeStock(productId: string, state: CodeState | undefined, onChange: () => void) {
  const cache = useQueryClient()
  const asked = { id: productId, ...(state && { state }) }
  const { data, ...pages } = useInfiniteQuery({
    queryKey: [...keyOf(getCodeStock, asked), 'pages'],
    queryFn: ({ pageParam }: { pageParam: number | null }) =>
      call(getCodeStock, { ...asked, ...(pageParam !== null && { after: pageParam }) }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }: CodeStock) => next,
    refetchOnMount: 'always',
  })
  const refresh = () => {
    void cache.invalidateQueries({ queryKey: keyOf(getCodeStock, { id: productId }) })
    onChange()
  }
  const withdraw = useMutation({
    mutationFn: (codeId: string | undefined) => call(voidCodes, { id: productId, ...(codeId && { codeId }) }),
    onSuccess: ({ voided }) =>
      toast({ title: voided === 1 ? 'One code withdrawn' : `${voided.toLocaleString('en')} codes withdrawn` }),
    onError: (error) => notifyRefused(error, 'We couldn’t withdraw that.'),
    onSettled: refresh,
  })
  const putBack = useMutation({
    mutationFn: (codeId: string | undefined) => call(putCodesBack, { id: productId, ...(codeId && { codeId }) }),
    onSuccess: ({ returned }) => toast({ title: describeReturned(returned), tone: 'good' }),
    onError: (error) => notifyRefused(error, 'We couldn’t put that back.'),
    onSettled: refresh,
  })
  const warn = useMutation({
    mutationFn: (lowAt: number) => call(setLowStock, { id: productId, lowAt }),
    onSuccess: () => toast({ title: 'Saved', tone: 'good' }),
    onError: (error) => notifyRefused(error, 'We couldn’t save that.'),
    onSettled: refresh,
  })
  const first = data?.pages[0]
  return {
    ...pages,
    counts: first?.counts,
    lowAt: first?.lowAt,
    codes: data?.pages.flatMap((page) => page.codes) ?? [],
    returnable: first?.returnable ?? 0,
    withdraw,
    putBack,
    warn,
    refresh,
  }
}
