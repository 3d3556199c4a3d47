import { MessageCircle } from 'lucide-react'
import { call } from '../kit/call.client.ts'
import { formatDay } from '../localisation/dates.rules.ts'
import { Note } from '../ui/Note.tsx'
import { AnswerForm } from './AnswerForm.tsx'
import { answerQuestion, type SellerQuestion } from './question.contract.ts'

type QuestionProps = { productId: string; asked: SellerQuestion; onSent: () => void }

export const Question = ({ productId, asked: { question, answerBy, answer }, onSent }: QuestionProps) => (
  <section className="card" aria-label="A question from us">
    <AnswerForm sent={answer} send={(answer) => call(answerQuestion, { id: productId, answer })} onSent={onSent}>
      <Note Icon={MessageCircle} title={`We have a question. Please answer by ${formatDay(answerBy)}`}>
        <span className="pre-line wrap-anywhere">{question}</span>
      </Note>
    </AnswerForm>
  </section>
)
