import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  addDiscount,
  changeDiscount,
  getOwnDiscount,
  type OwnDiscount,
} from '../../cart/discounts/ownDiscounts.contract.ts'
import { call } from '../../kit/call.client.ts'
import { Failure, isRefusal, reasonOf } from '../../kit/failure.ts'
import { query } from '../../kit/query/query.client.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import { mergeEdits } from '../edit.rules.ts'
import { listOwnProducts } from '../selling.contract.ts'
import { problemsOf, type Typed, typedOf, wordsOf } from './ownDiscount.rules.ts'
import { useDiscounts } from './useDiscounts.ts'

const productsQuery = query(listOwnProducts, { limit: 200 })

type Form = {
  /** The saved code that `typed` began with; null for a new one. */
  base: OwnDiscount | null
  typed: Typed
  /** Fields that were changed here and elsewhere, until the seller chooses. */
  both: (keyof Typed)[]
}

export type CodeForm = ReturnType<typeof useCodeForm>

/** The form of a discount code; `code` is null for a new one. */
export function useCodeForm(code: OwnDiscount | null, onClose: () => void) {
  const [{ base, typed, both }, setForm] = useState<Form>(() => ({ base: code, typed: typedOf(code), both: [] }))
  const [isTried, setTried] = useState(false)
  const put = (change: Partial<Typed>) => setForm((now) => ({ ...now, typed: { ...now.typed, ...change } }))
  const settle = (name: keyof Typed) => setForm((now) => ({ ...now, both: now.both.filter((one) => one !== name) }))
  const { refresh } = useDiscounts()
  const { data: products = [] } = useQuery(productsQuery)
  const save = useMutation({
    mutationFn: () => {
      const words = wordsOf(typed, base)
      return base ? call(changeDiscount, { id: base.id, version: base.version, ...words }) : call(addDiscount, words)
    },
    onError: async (error) => {
      if (!isChanged(error)) return
      // without an answer the next try is refused again
      const saved = base && (await call(getOwnDiscount, { id: base.id }).catch(() => null))
      if (saved)
        setForm((now) => {
          const { values, both } = mergeEdits(typedOf(base), now.typed, typedOf(saved))
          return { base: saved, typed: values, both }
        })
      toast({ title: 'Changed elsewhere', description: 'Nothing you typed is lost. Look at it and save again.' })
    },
    onSuccess: (saved) => {
      toast({
        title: code ? `${saved.code} saved` : `${saved.code} is ready`,
        description: 'Copy its link to share it.',
      })
      onClose()
    },
    onSettled: refresh,
  })
  const problems = problemsOf(typed)
  const refused =
    save.error && !isChanged(save.error) && (reasonOf(save.error, isRefusal) ?? 'That didn’t work. Please try again.')
  return {
    base,
    typed,
    both,
    products,
    put,
    settle,
    takeTheirs: (name: keyof Typed) => {
      put({ [name]: typedOf(base)[name] })
      settle(name)
    },
    isBusy: save.isPending,
    submit: () => {
      setTried(true)
      if (Object.values(problems).every((problem) => !problem)) save.mutate()
      else requestAnimationFrame(() => document.querySelector<HTMLElement>('.dialog [aria-invalid]')?.focus())
    },
    errorOf: (name: keyof typeof problems) => {
      const error = (isTried && problems[name]) || (name === 'code' && refused)
      return error ? { error } : {}
    },
  }
}

const isChanged = (error: unknown): boolean => error instanceof Failure && error.code === 'changed'
