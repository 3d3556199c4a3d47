import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { Select } from '../../ui/form/Select.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import {
  getSellerNews,
  type SellerNews,
  setSellerNews,
  TOLD,
  type NewsKind,
  type Wish,
  WISHES,
} from './news.contract.ts'

const newsQuery = query(getSellerNews, {})

const NAMES: Record<NewsKind, string> = {
  sales: 'Sales',
  refunds: 'Refunds',
  reviews: 'Reviews',
  stock: 'Codes that run low',
}
const CHOICES: Record<Wish, string> = { each: 'Each one', daily: 'Once a day', off: 'Off' }
const choices = WISHES.map((value) => ({ value, label: CHOICES[value] }))

export function NewsSetting() {
  const { data: news, isError, refetch } = useQuery({ ...newsQuery, refetchOnMount: 'always' })
  const cache = useQueryClient()
  const change = useMutation({
    mutationFn: (next: SellerNews) => call(setSellerNews, next),
    onSuccess: (saved) => cache.setQueryData(newsQuery.queryKey, saved),
    onError: (error) => toastFailure(error, 'We couldn’t save your choice. Please try again.'),
  })
  if (isError && !news) return <ErrorState title="Couldn’t load your choices" onRetry={() => void refetch()} />
  if (!news) return <Skeleton height="15rem" />
  const shown = change.isPending ? change.variables : news
  return (
    <section className="section" aria-labelledby="selling-news">
      <h3 id="selling-news">What you sell, by email and push</h3>
      <div className="list">
        {TOLD.map((told) => (
          <div key={told} className="list__row row--wrap row--between">
            <strong>{NAMES[told]}</strong>
            <Select
              aria-label={NAMES[told]}
              options={choices}
              value={shown[told]}
              onChange={({ target }) => change.mutate({ ...shown, [told]: target.value as Wish })}
            />
          </div>
        ))}
      </div>
    </section>
  )
}
