import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { createProduct } from '../catalogue/catalogue.contract.ts'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { call } from '../kit/call.client.ts'
import { Failure, isRefusal, reasonOf } from '../kit/failure.ts'
import { keyOf } from '../kit/query/query.client.ts'
import { toast } from '../ui/toasts/toast.client.ts'
import {
  changedFields,
  EMPTY,
  type FieldName,
  mergeEdits,
  problemsOf,
  readAsking,
  type Values,
  valuesOf,
} from './edit.rules.ts'
import { editProduct, getOwnProduct, type OwnDetail } from './selling.contract.ts'
import { useFreshOwn } from './useStanding.ts'

type Form = {
  base: Values
  version: number
  values: Values
  /** Fields that were changed here and elsewhere, until the seller chooses. */
  both: FieldName[]
}

const formOf = (product: OwnDetail | null): Form => {
  const base = product ? valuesOf(product) : EMPTY
  return { base, version: product?.version ?? 0, values: base, both: [] }
}

export function useEdit(product: OwnDetail | null) {
  const cache = useQueryClient()
  const refresh = useFreshOwn()
  const [form, setForm] = useState(() => formOf(product))
  const [isSaving, setSaving] = useState(false)
  const [isTried, setTried] = useState(false)
  if (product && product.version > form.version) {
    const theirs = valuesOf(product)
    setForm({ base: theirs, version: product.version, ...mergeEdits(form.base, form.values, theirs) })
  }
  const { base, values, version, both } = form
  const changed = changedFields(base, values)
  const problems = problemsOf(values)

  async function save(): Promise<boolean> {
    setTried(true)
    if (Object.keys(problems).length > 0) return false
    setSaving(true)
    const { imageUrl, ...texts } = { ...values, ...readAsking(values) }
    try {
      if (!product) {
        const { id } = await call(createProduct, { ...texts, isDraft: true })
        refresh()
        toast({ title: 'Draft saved', description: 'Only you can see it. Add its file, then put it on sale.' })
        navigate(`/my-products/${id}`, { replace: true })
        return true
      }
      const image = imageUrl === base.imageUrl ? {} : { imageURL: imageUrl }
      const saved = await call(editProduct, { id: product.id, version, ...texts, ...image })
      setForm(formOf(saved))
      cache.setQueryData(keyOf(getOwnProduct, { id: product.id }), saved)
      refresh()
      toast({ title: 'Changes saved', tone: 'good' })
      return true
    } catch (error) {
      if (error instanceof Failure && error.code === 'changed') {
        await cache.refetchQueries({ queryKey: keyOf(getOwnProduct, { id: product!.id }) })
        toast({ title: 'Changed elsewhere', description: 'Nothing you typed is lost. Look at it and save again.' })
      } else toastFailure(error, reasonOf(error, isRefusal) ?? 'Failed to save your product. Please try again.')
      return false
    } finally {
      setSaving(false)
    }
  }

  const settle = (name: FieldName) => ({ both: both.filter((one) => one !== name) })
  return {
    values,
    saved: base,
    changed,
    both,
    problems: isTried ? problems : {},
    isSaving,
    save,
    put: (change: Partial<Values>) => setForm((now) => ({ ...now, values: { ...now.values, ...change } })),
    keepMine: (name: FieldName) => setForm((now) => ({ ...now, ...settle(name) })),
    takeTheirs: (name: FieldName) =>
      setForm((now) => ({ ...now, values: { ...now.values, [name]: now.base[name] }, ...settle(name) })),
    discard: () => setForm((now) => ({ ...now, values: now.base, both: [] })),
  }
}
