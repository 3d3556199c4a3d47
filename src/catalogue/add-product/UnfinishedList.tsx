import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { keyOf, query } from '../../kit/query/query.client.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { KIND_NAMES } from '../kindNames.rules.ts'
import { listUnfinished, removeUnfinished, saveUnfinished, type Unfinished } from './unfinished.contract.ts'

const titleOf = ({ entered }: Unfinished) => entered.title || 'Without a title'

/** Products that the seller began to add. The page of the seller's products continues them. */
export function UnfinishedList({ onContinue }: { onContinue: (unfinished: Unfinished) => void }) {
  const cache = useQueryClient()
  const { data: list = [] } = useQuery({ ...query(listUnfinished, {}), refetchOnMount: 'always' })
  const refresh = () => void cache.invalidateQueries({ queryKey: keyOf(listUnfinished, {}) })
  const restore = ({ id, entered }: Unfinished) =>
    call(saveUnfinished, { id, entered }).then(refresh, (error: unknown) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'Failed to restore the draft. Please try again.'),
    )
  const remove = async (one: Unfinished) => {
    try {
      await call(removeUnfinished, { id: one.id })
      refresh()
      toast({
        title: 'Draft deleted',
        description: isolateRtl(titleOf(one)),
        action: { label: 'Undo', hint: 'Restore the draft', run: () => void restore(one) },
      })
    } catch (error) {
      toastFailure(error, reasonOf(error, isRefusal) ?? 'Failed to delete the draft. Please try again.')
    }
  }
  if (list.length === 0) return null
  return (
    <section className="section gap-2" aria-labelledby="unfinished">
      <h2 id="unfinished" className="text-16">
        Not added yet
      </h2>
      <ul className="list">
        {list.map((one) => (
          <li key={one.id} className="list__row row--wrap">
            <span className="grow grow--column wrap-anywhere">
              <strong className="text-14">{isolateRtl(titleOf(one))}</strong>
              <small>{describe(one)}</small>
            </span>
            <span className="row row--nowrap gap-1">
              <Button tone="soft" aria-label={`Continue ${titleOf(one)}`} onClick={() => onContinue(one)}>
                Continue
              </Button>
              <IconButton
                label={`Delete the draft ${titleOf(one)}`}
                icon={<Trash2 className="icon" aria-hidden />}
                onClick={() => void remove(one)}
              />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function describe({ entered: { delivery, image, file, more }, updatedAt }: Unfinished): string {
  const uploads = [image, file, ...more].filter((upload) => upload !== null).length
  return [
    ...(delivery ? [KIND_NAMES[delivery]] : []),
    ...(uploads > 0 ? [plural(uploads, 'upload')] : []),
    `saved ${formatMoment(updatedAt)}`,
  ].join(' · ')
}
