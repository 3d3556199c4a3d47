import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Gift, giveCopies } from '../../delivery/gifts/gifts.contract.ts'
import { call } from '../../kit/call.client.ts'
import { reasonOf } from '../../kit/failure.ts'
import { useContentKey } from '../../kit/values/useContentKey.ts'
import { momentOf } from './gift.texts.rules.ts'
import { notifyGiftFailed } from './giftFailed.client.ts'

export type MadeGift = { gift: Gift; link: string }

type GivenGift = {
  by: 'mail' | 'link'
  quantity: number
  toName: string
  toEmail: string
  note: string
  when: 'now' | 'day'
  day: string
}

const EMPTY: GivenGift = { by: 'mail', quantity: 1, toName: '', toEmail: '', note: '', when: 'now', day: '' }

export function useGiftForm({ id, lineId }: { id: string; lineId: string }, onMade: (made: MadeGift) => void) {
  const [typed, setTyped] = useState(EMPTY)
  const [isTried, setTried] = useState(false)
  const [refused, setRefused] = useState<{ field: string; error: string } | null>(null)
  const keyOf = useContentKey()
  const { by, quantity, toName, toEmail, note, when, day } = typed
  const isMail = by === 'mail'
  const sendAt = isMail && when === 'day' ? momentOf(day, Date.now()) : undefined
  const wrong = {
    toEmail: isMail && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(toEmail.trim()) && 'Enter the address of the person.',
    day: sendAt === null && 'Choose a day that is to come.',
  }
  const give = useMutation({
    mutationFn: () => {
      const key = keyOf([quantity, toName, toEmail, note, by, sendAt])
      return call(
        giveCopies,
        {
          ...{ id, lineId, quantity, toName: toName.trim(), note: note.trim() },
          ...(isMail && { toEmail: toEmail.trim() }),
          ...(sendAt && { sendAt }),
        },
        { headers: { 'idempotency-key': key } },
      )
    },
    onSuccess: onMade,
    onError: (error) => {
      const [, field, reason] =
        /^(toName|note): (.+)$/.exec(reasonOf(error, ({ status }) => status === 400) ?? '') ?? []
      if (!field || !reason) return notifyGiftFailed(error, 'We couldn’t make the gift.')
      setRefused({ field, error: `${reason}.` })
      focusProblem()
    },
  })
  return {
    typed,
    isMail,
    isBusy: give.isPending,
    type: (change: Partial<GivenGift>) => setTyped((now) => ({ ...now, ...change })),
    errorOf: (field: keyof typeof wrong) => (isTried && wrong[field] ? { error: wrong[field] } : {}),
    refusalOf: (field: 'toName' | 'note') => (refused?.field === field ? { error: refused.error } : {}),
    submit: () => {
      setTried(true)
      setRefused(null)
      if (Object.values(wrong).every((problem) => problem === false)) give.mutate()
      else focusProblem()
    },
  }
}

const focusProblem = () => setTimeout(() => document.querySelector<HTMLElement>('.dialog [aria-invalid]')?.focus())
