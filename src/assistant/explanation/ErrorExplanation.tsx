import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCw, Sparkles } from 'lucide-react'
import { useId } from 'react'
import { call } from '../../kit/call.client.ts'
import { reasonOf } from '../../kit/failure.ts'
import { query } from '../../kit/query/query.client.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { explainError, type Explanation, getExplanation } from './explanation.contract.ts'

const explanationOf = (id: string) => query(getExplanation, { id })

export function ErrorExplanation({ groupId }: { groupId: string }) {
  const { data, isPending, isFetching, refetch } = useQuery({ ...explanationOf(groupId), refetchOnMount: 'always' })
  const title = useId()
  return (
    <section className="stack" aria-labelledby={title}>
      <h2 id={title}>Explanation</h2>
      {isPending ? (
        <Skeleton height="6rem" />
      ) : data ? (
        <>
          {data.known && (
            <figure className="stack gap-2">
              <p className="well">{data.known.text}</p>
              <figcaption className="row gap-2">
                <Badge>{data.known.kind}</Badge>
                <span className="small muted">By the words of its message, without a model</span>
              </figcaption>
            </figure>
          )}
          <div className="contents" aria-live="polite">
            {data.explanation && <ExplanationText {...data.explanation} />}
          </div>
          {data.model ? (
            <Ask groupId={groupId} model={data.model} isKnown={data.explanation !== null} />
          ) : (
            <p className="small muted">
              No model is set up. With <span className="mono">AI_URL</span>, <span className="mono">AI_KEY</span> and{' '}
              <span className="mono">AI_MODEL</span> in the settings, one explains errors here.
            </p>
          )}
        </>
      ) : (
        <p className="row" role="alert">
          <span className="field__error grow">Couldn’t load the explanation.</span>
          <Button isBusy={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      )}
    </section>
  )
}

/** Shows the model's text verbatim, without markup and links. */
export const ExplanationText = ({ text, model, release, askedAt }: Explanation) => (
  <figure className="stack gap-2">
    <p className="well wrap-anywhere pre-line">{text}</p>
    <figcaption className="row gap-2">
      <Badge>Machine-made</Badge>
      <span className="small muted wrap-anywhere">
        {model} · {formatMoment(askedAt)} · release {release} · may be wrong
      </span>
    </figcaption>
  </figure>
)

/** Shows the same button while it works, so that the focus does not move. */
function Ask({ groupId, model, isKnown }: { groupId: string; model: string; isKnown: boolean }) {
  const cache = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(explainError, { id: groupId, isAgain: isKnown }),
    onSuccess: (told) => cache.setQueryData(explanationOf(groupId).queryKey, told),
  })
  const again = error ? 'Try again' : 'Ask again'
  return (
    <div className="stack gap-2">
      {error && (
        <p className="field__error" role="alert">
          {reasonOf(error) ??
            (navigator.onLine ? 'The store didn’t respond. Please try again.' : 'You’re offline right now.')}
        </p>
      )}
      <p className="small muted" role="status">
        {isPending
          ? `${model} is asked. That may take half a minute.`
          : isKnown || error
            ? ''
            : `${model} is sent the message, the stack, the page and the releases; e-mails, tokens and long numbers are taken out.`}
      </p>
      <Button
        className="self-start"
        icon={isKnown || error ? <RotateCw className="icon" aria-hidden /> : <Sparkles className="icon" aria-hidden />}
        isBusy={isPending}
        onClick={() => mutate()}
      >
        {isKnown || error ? again : 'Explain'}
      </Button>
    </div>
  )
}
