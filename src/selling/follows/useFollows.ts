import { useQuery } from '@tanstack/react-query'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isConflict, reasonOf } from '../../kit/failure.ts'
import { inOrder, query, queryClient } from '../../kit/query/query.client.ts'
import { useAlways } from '../../kit/query/useAlways.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import { type Followed, followSeller, type FollowSource, listFollowed, unfollowSeller } from './follows.contract.ts'

export const followedQuery = query(listFollowed, {})
const { queryKey } = followedQuery

export const useFollowed = () => useQuery({ ...followedQuery, refetchOnMount: useAlways() })

/** Follows a seller. The button changes at once, and changes back if the call fails. */
export async function follow(seller: Omit<Followed, 'since'>, source: FollowSource) {
  const reply = await change(
    (list) => [{ ...seller, since: new Date().toISOString() }, ...without(list, seller.id)],
    () => call(followSeller, { id: seller.id, source }),
  )
  if (reply?.isMailed === false)
    toast({
      title: `You follow ${seller.name}`,
      description: 'You won’t get emails: they are off in Email Preferences, or your address is not verified.',
    })
}

/** Unfollows a seller. Returns whether it worked. */
export async function unfollow({ id }: Pick<Followed, 'id'>): Promise<boolean> {
  const reply = await change(
    (list) => without(list, id),
    () => call(unfollowSeller, { id }),
  )
  return reply !== null
}

/** Unfollows a seller, and offers Undo in a toast. */
export async function unfollowWithUndo(seller: Followed, source: FollowSource) {
  if (!(await unfollow(seller))) return
  const undo = { label: 'Undo', hint: 'Follow the seller again to undo', run: () => void follow(seller, source) }
  toast({ title: `Unfollowed ${seller.name}`, action: undo })
}

const without = (list: Followed[], id: string) => list.filter((followed) => followed.id !== id)

/** Changes the list on screen, then on the server. Returns null after a failure. */
async function change<T>(edit: (list: Followed[]) => Followed[], send: () => Promise<T>): Promise<T | null> {
  // an earlier read would restore the list without this change
  await queryClient.cancelQueries({ queryKey })
  const before = queryClient.getQueryData<Followed[]>(queryKey)
  queryClient.setQueryData<Followed[]>(queryKey, (list) => list && edit(list))
  try {
    const reply = await inOrder('follows', send)
    // without a cached list, nothing changed on screen
    if (!before) void queryClient.invalidateQueries({ queryKey })
    return reply
  } catch (error) {
    queryClient.setQueryData(queryKey, before)
    // another change may have succeeded meanwhile
    void queryClient.invalidateQueries({ queryKey })
    toastFailure(error, reasonOf(error, isConflict) ?? 'We couldn’t save this. Please try again.')
    return null
  }
}
