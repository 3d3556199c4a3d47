import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, Fragment, type ReactNode, useState } from 'react'
import { listHelp } from '../assistant/help/help.contract.ts'
import { readResponses } from '../support/inbox/team.contract.ts'
import {
  MAX_LESSON_LENGTH,
  listAnswers,
  listLessons,
  markReviewed,
  type ReviewedAnswer,
  teach,
  unteach,
} from '../support/review/review.contract.ts'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { call } from '../kit/call.client.ts'
import { query } from '../kit/query/query.client.ts'
import { formatMoment } from '../localisation/dates.rules.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { Segment } from '../ui/form/Segment.tsx'
import { Select } from '../ui/form/Select.tsx'
import { Link } from '../ui/Link.tsx'
import { Pair } from '../ui/Pair.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { toast } from '../ui/toasts/toast.client.ts'
import { figuresOf } from './figures.rules.ts'
import { RowsSkeleton, StaffPage } from './StaffPage.tsx'

type AnswerFilter = 'open' | 'all'
const choices: { value: AnswerFilter; label: string }[] = [
  { value: 'open', label: 'To review' },
  { value: 'all', label: 'All' },
]

export function AnswersPage() {
  const [shown, setShown] = useState<AnswerFilter>('open')
  const list = query(listAnswers, shown === 'all' ? { all: 'yes' } : {})
  const { data, isError, refetch } = useQuery({ ...list, refetchOnMount: 'always' })
  return (
    <StaffPage
      title="Assistant"
      about="Answers that were unsure or did not help, and why they were given."
      action={<Segment label="Show" options={choices} value={shown} onChange={setShown} />}
    >
      <Figures />
      {isError && !data ? (
        <ErrorState title="Couldn’t load the answers" onRetry={refetch} />
      ) : !data ? (
        <RowsSkeleton label="Loading the answers" />
      ) : data.length === 0 ? (
        <EmptyState scene="receipt" title={shown === 'all' ? 'No answers yet' : 'Nothing to review'}>
          {shown === 'all'
            ? 'The assistant’s answers will show up here.'
            : 'Unsure answers and those that did not help will show up here.'}
        </EmptyState>
      ) : (
        <ol className="stack">
          {data.map((answer) => (
            <Answer key={answer.questionId} answer={answer} onDone={() => void refetch()} />
          ))}
        </ol>
      )}
      <Lessons />
    </StaffPage>
  )
}

function Figures() {
  const { data, isError, refetch } = useQuery({ ...query(readResponses, { days: 30 }), refetchOnMount: 'always' })
  if (!data)
    return isError ? <ErrorState title="Couldn’t load the figures" onRetry={refetch} /> : <Skeleton height="12rem" />
  const figures = figuresOf(data)
  return (
    <section className="card stack" aria-labelledby="figures">
      <h2 id="figures">Last 30 days</h2>
      {figures.length === 0 ? (
        <p className="muted">No answers, ratings or costs.</p>
      ) : (
        <dl className="pairs">
          {figures.map(([name, value], i) => (
            <Pair key={i} name={name} value={value} />
          ))}
        </dl>
      )}
    </section>
  )
}

function Answer({ answer, onDone }: { answer: ReviewedAnswer; onDone: () => void }) {
  const {
    questionId,
    userId,
    question,
    intent,
    confidence,
    tools,
    sources,
    model,
    dropped,
    tookMs,
    cost,
    rating,
    reason,
    at,
  } = answer
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(markReviewed, { questionId }),
    onSuccess: onDone,
    onError: (error) => toastFailure(error, 'We couldn’t save that. Please try again.'),
  })
  const [isTeaching, setTeaching] = useState(false)
  const facts: [name: string, value: ReactNode][] = [
    ['Intent', intent ?? 'none'],
    ['Confidence', confidence === null ? 'none' : `${Math.round(confidence * 100)} %`],
    ['Tools', tools.join(', ') || 'none'],
    ['Sources', sources.length > 0 ? <Sources key="sources" paths={sources} /> : 'none'],
    ['Chosen by', model ?? 'the local assistant'],
    ...(dropped === 0 ? [] : ([['Unknown ids dropped', String(dropped)]] as [string, string][])),
    ['Time', `${tookMs ?? 0} ms`],
    ['Cost', `$${cost}`],
  ]
  return (
    <li className="card stack gap-2">
      <p className="row row--between gap-2">
        <strong className="wrap-anywhere">{question}</strong>
        <small className="muted">{formatMoment(at)}</small>
      </p>
      <p className="pre-line wrap-anywhere">{answer.answer}</p>
      {rating !== null && (
        <p className="small">
          {rating > 0 ? 'It helped.' : 'It did not help.'} {reason}
        </p>
      )}
      <dl className="why small">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="muted">{name}</dt> <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {isTeaching && <Teach answer={answer} onDone={() => mutate()} />}
      <div className="row gap-2">
        <Button isBusy={isPending} onClick={() => mutate()}>
          Reviewed
        </Button>
        <Button aria-expanded={isTeaching} onClick={() => setTeaching(!isTeaching)}>
          Teach an answer
        </Button>
        <Link className="link" href={`/admin/chat/${userId}`}>
          Open the conversation
        </Link>
      </div>
    </li>
  )
}

const Sources = ({ paths }: { paths: string[] }) =>
  paths.map((path, i) => (
    <Fragment key={path}>
      {i > 0 && ', '}
      <Link className="text-link wrap-anywhere" href={path}>
        {path}
      </Link>
    </Fragment>
  ))

function Teach({ answer: { questionId, lesson }, onDone }: { answer: ReviewedAnswer; onDone: () => void }) {
  const cache = useQueryClient()
  const { data: articles = [] } = useQuery(query(listHelp, {}))
  const { mutate, isPending } = useMutation({
    mutationFn: (given: { question: string } & ({ slug: string } | { answer: string })) =>
      call(teach, { questionId, ...given }),
    onSuccess: (lessons) => {
      cache.setQueryData(query(listLessons, {}).queryKey, lessons)
      onDone()
    },
    onError: (error) => toastFailure(error, 'We couldn’t save that. Please try again.'),
  })
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const read = (name: string) => String(form.get(name) ?? '').trim()
    const [question, slug, answer] = [read('question'), read('slug'), read('answer')]
    if (answer) mutate({ question, answer })
    else if (slug) mutate({ question, slug })
    else toast({ title: 'Choose an article or write an answer', tone: 'bad' })
  }
  return (
    <form className="stack gap-2" onSubmit={save}>
      <Field
        label="The question"
        hint="In your words, without names and numbers. A question in the customer’s words is forgotten when they delete their account."
      >
        {(control) => (
          <input
            {...control}
            name="question"
            className="input"
            defaultValue={lesson}
            required
            minLength={3}
            maxLength={MAX_LESSON_LENGTH}
          />
        )}
      </Field>
      <Select
        name="slug"
        aria-label="The article that answers"
        defaultValue=""
        placeholder="Article that answers…"
        options={articles.map(({ slug, title }) => ({ value: slug, label: title }))}
      />
      <textarea
        name="answer"
        className="input"
        rows={2}
        maxLength={1000}
        aria-label="Your answer"
        placeholder="Or an answer in your words"
      />
      <Button type="submit" className="self-start" isBusy={isPending}>
        Teach
      </Button>
    </form>
  )
}

function Lessons() {
  const cache = useQueryClient()
  const lessons = query(listLessons, {})
  const { data, isError, refetch } = useQuery({ ...lessons, refetchOnMount: 'always' })
  const { mutate } = useMutation({
    mutationFn: (id: string) => call(unteach, { id }),
    onSuccess: (rest) => cache.setQueryData(lessons.queryKey, rest),
    onError: (error) => toastFailure(error, 'We couldn’t delete that. Please try again.'),
  })
  if (!data) return isError ? <ErrorState title="Couldn’t load what was taught" onRetry={refetch} /> : null
  if (data.length === 0) return null
  return (
    <section className="section" aria-labelledby="lessons">
      <h2 id="lessons">Taught</h2>
      <ul className="list">
        {data.map(({ id, question, slug, answer }) => (
          <li key={id} className="list__row">
            <span className="grow wrap-anywhere">
              <strong>{question}</strong>
              <small>{slug ? `Article: ${slug}` : answer}</small>
            </span>
            <Button aria-label={`Forget: ${question}`} onClick={() => mutate(id)}>
              Forget
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
