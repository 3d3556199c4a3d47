import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useAddToCart } from '../../../cart/useCart.ts'
import { toastFailure } from '../../../identity/toastFailure.client.ts'
import { call } from '../../../kit/call.client.ts'
import { isSafe } from '../../../purchases/AddToCartButton.tsx'
import { Link } from '../../../ui/Link.tsx'
import type { ChatMessage, ProductLink } from '../chat.contract.ts'
import { type Chip, chipsOf } from './chips.rules.ts'
import { findMeanings } from './meanings.contract.ts'

type AnswerChipsProps = {
  answer: ChatMessage
  onSend: (message: string) => Promise<unknown>
  onPerson: () => void
  /** Moves the focus, because the pressed chip disappears. */
  onDone: () => void
}

/** The next steps under the newest answer. "Not what I meant" replaces them by other meanings of the question. */
export function AnswerChips({ answer, onSend, onPerson, onDone }: AnswerChipsProps) {
  const [isSending, setSending] = useState(false)
  const row = useRef<HTMLDivElement>(null)
  const { data, mutate, isPending } = useMutation({
    mutationFn: () => call(findMeanings, { messageId: answer.id }),
    onError: (error) => toastFailure(error, 'We couldn’t find other meanings. Please try again.'),
  })
  const meanings = data?.meanings
  useEffect(() => {
    if (meanings) row.current?.querySelector('button')?.focus()
  }, [meanings])
  const send = async (message: string) => {
    setSending(true)
    try {
      await onSend(message)
      onDone()
    } catch {
      // A notification reports the failure. The chips stay.
    } finally {
      setSending(false)
    }
  }
  const chips: Chip[] = meanings
    ? [
        ...meanings.map((message) => ({ kind: 'send' as const, label: message, message })),
        { kind: 'person', label: 'Ask a person' },
      ]
    : chipsOf(answer)
  return (
    <>
      {meanings && (
        <p className="msg__meta" role="status">
          {meanings.length > 0 ? 'Sorry. Did you mean one of these?' : 'Sorry. A person can answer.'}
        </p>
      )}
      <div ref={row} className="chips msg__chips" role="group" aria-label={meanings ? 'Other meanings' : 'Next steps'}>
        {chips.map((chip) => (
          <OneChip
            key={chip.label}
            chip={chip}
            isBusy={isSending || isPending}
            onSend={(message) => void send(message)}
            onPerson={() => {
              onPerson()
              onDone()
            }}
            onMissed={() => mutate()}
          />
        ))}
      </div>
    </>
  )
}

type OneChipProps = {
  chip: Chip
  isBusy: boolean
  onSend: (message: string) => void
  onPerson: () => void
  onMissed: () => void
}

function OneChip({ chip, isBusy, onSend, onPerson, onMissed }: OneChipProps) {
  if (chip.kind === 'link')
    return (
      <Link className="chip" href={chip.href}>
        {chip.label}
      </Link>
    )
  if (chip.kind === 'cart') return <CartChip label={chip.label} product={chip.product} />
  const press = () => {
    if (isBusy) return
    if (chip.kind === 'send') onSend(chip.message)
    else if (chip.kind === 'person') onPerson()
    else onMissed()
  }
  return (
    <button
      type="button"
      className={chip.kind === 'person' ? 'chip chip--on' : 'chip'}
      // not `disabled`, because a disabled button would lose the focus
      aria-disabled={isBusy || undefined}
      onClick={press}
    >
      {chip.label}
    </button>
  )
}

function CartChip({ label, product }: { label: string; product: ProductLink }) {
  const { add, isAdding } = useAddToCart({ ...product, description: null, isActive: true }, isSafe)
  return (
    <button
      type="button"
      className="chip"
      aria-disabled={isAdding || undefined}
      aria-label={`${label}: ${product.title}`}
      onClick={() => !isAdding && void add(1)}
    >
      {label}
    </button>
  )
}
