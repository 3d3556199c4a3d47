import { useMutation, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { inOrder, keyOf } from '../../kit/query/query.client.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { type CartItem, getCart } from '../cart.contract.ts'
import { applyDiscount, removeDiscount } from './discount.contract.ts'
import type { CartCode } from './discount.rules.ts'
import { describeProblem } from './problem.rules.ts'

const cartKey = keyOf(getCart, {})

function useCodeChange(send: (given: string) => Promise<CartItem[]>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (given: string) => inOrder('cart', () => send(given)),
    async onSuccess(cart) {
      await cache.cancelQueries({ queryKey: cartKey })
      cache.setQueryData(cartKey, cart)
    },
  })
}

export function CodeForm({ codes }: { codes: CartCode[] }) {
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const apply = useCodeChange(async (code) => (await call(applyDiscount, { code })).cart)
  const remove = useCodeChange((id) => call(removeDiscount, { id }))
  const failed = apply.error ?? remove.error
  const error = failed && (reasonOf(failed, isRefusal)?.replace(/^code: /, '') ?? 'That didn’t work. Please try again.')
  useEffect(() => field.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (apply.isPending || typed.trim() === '') return
    remove.reset()
    apply.mutate(typed, { onSuccess: () => setTyped('') })
  }
  return (
    <form className="stack gap-2" onSubmit={submit} noValidate aria-label="Discount codes">
      {codes.map(({ id, code, problem }) => (
        <div key={id} className="row row--nowrap">
          <span className="grow small wrap-anywhere">
            <strong className="mono">{code}</strong> {problem ? describeProblem(code, problem) : 'applied'}
          </span>
          <IconButton
            label={`Remove ${code}`}
            icon={<X className="icon" aria-hidden />}
            onClick={() => {
              apply.reset()
              remove.mutate(id)
              field.current?.focus()
            }}
          />
        </div>
      ))}
      <Field label="Discount code" {...(error && { error })}>
        {(control) => (
          <div className="row row--nowrap gap-2">
            <input
              {...control}
              ref={field}
              className="input mono"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={40}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
            <Button type="submit" isBusy={apply.isPending}>
              Apply
            </Button>
          </div>
        )}
      </Field>
      <p className="sr" role="status">
        {apply.isSuccess && `${apply.variables.toUpperCase()} applied`}
      </p>
    </form>
  )
}
