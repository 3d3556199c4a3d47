import { useQuery, useQueryClient } from '@tanstack/react-query'
import { EyeOff } from 'lucide-react'
import { call } from '../kit/call.client.ts'
import { query } from '../kit/query/query.client.ts'
import { formatDay } from '../localisation/dates.rules.ts'
import { Note } from '../ui/Note.tsx'
import { AnswerForm } from './AnswerForm.tsx'
import { answerTakeDown, getTakeDown } from './moderation.contract.ts'

export function TakenDown({ productId }: { productId: string }) {
  const cache = useQueryClient()
  const { queryKey, ...read } = query(getTakeDown, { id: productId })
  const { data } = useQuery({ queryKey, ...read, refetchOnMount: 'always' })
  if (!data) return null
  return (
    <AnswerForm
      sent={data.answer}
      send={(answer) => call(answerTakeDown, { id: productId, answer })}
      onSent={(saved) => cache.setQueryData(queryKey, saved)}
    >
      <Note Icon={EyeOff} title={`We took this product off sale on ${formatDay(data.at)}`} className="buy__off">
        {data.why} Your buyers keep what they bought.
      </Note>
    </AnswerForm>
  )
}
