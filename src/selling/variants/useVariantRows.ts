import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { readPrice } from '../../catalogue/price.rules.ts'
import { isFaultless, variantProblems } from '../../catalogue/variants/variants.rules.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { moved } from '../../kit/values/moved.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import { getOwnProduct, type OwnDetail, type OwnVariant, setVariants } from '../selling.contract.ts'
import { useFreshOwn } from '../useStanding.ts'

/** A variant in the form. `saved` is null for a new variant. */
export type VariantRow = { key: string; name: string; price: string; isActive: boolean; saved: OwnVariant | null }

const rowsOf = ({ variants }: OwnDetail): VariantRow[] =>
  variants.map((saved) => ({ key: saved.id, name: saved.name, price: saved.price, isActive: saved.isActive, saved }))

const wordsOf = (rows: VariantRow[]) =>
  rows.map(({ name, price, isActive, saved }) => ({
    ...(saved && { id: saved.id }),
    ...{ name: name.trim(), price: readPrice(price), isActive },
  }))

const isSame = (product: OwnDetail, rows: VariantRow[]) =>
  JSON.stringify(wordsOf(rows)) === JSON.stringify(wordsOf(rowsOf(product)))

/** The variants in the form. They follow the saved variants until the seller changes them. */
export function useVariantRows(product: OwnDetail) {
  const { id, version, delivery } = product
  const cache = useQueryClient()
  const refresh = useFreshOwn()
  const [base, setBase] = useState(product)
  const [rows, setRows] = useState(() => rowsOf(product))
  const [isTried, setTried] = useState(false)
  if (version !== base.version && (isSame(base, rows) || isSame(base, rowsOf(product)))) {
    setBase(product)
    if (isSame(base, rows)) setRows(rowsOf(product))
  }
  const words = wordsOf(rows)
  const problems = variantProblems(words, { mayBeFree: delivery === 'file' })
  const change = (key: string, part: Partial<VariantRow>) =>
    setRows((now) => now.map((row) => (row.key === key ? { ...row, ...part } : row)))
  const save = useMutation({
    mutationFn: () => call(setVariants, { id, version: base.version, variants: words }),
    onSuccess: (saved) => {
      cache.setQueryData(keyOf(getOwnProduct, { id }), saved)
      setBase(saved)
      setRows(rowsOf(saved))
      setTried(false)
      toast({ title: 'Variants saved', tone: 'good' })
    },
    onError: (error) => toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t save that. Please try again.'),
    onSettled: refresh,
  })
  return {
    rows,
    problems: isTried ? problems : [],
    isChanged: !isSame(base, rows),
    isSaving: save.isPending,
    change,
    move: (from: number, to: number) => setRows((now) => moved(now, from, to)),
    remove: (key: string) => setRows((now) => now.filter((row) => row.key !== key)),
    add: () =>
      setRows((now) => [...now, { key: crypto.randomUUID(), name: '', price: '', isActive: true, saved: null }]),
    discard: () => {
      setBase(product)
      setRows(rowsOf(product))
    },
    submit: () => {
      if (save.isPending) return
      setTried(true)
      if (isFaultless(problems)) save.mutate()
    },
  }
}
