import { fetchUsed } from '../../kit/call.client.ts'
import { send } from '../../kit/call.ts'
import { Failure, isConflict, reasonOf } from '../../kit/failure.ts'
import { inOrder, keyOf, queryClient } from '../../kit/query/query.client.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import { type Entered, listUnfinished, removeUnfinished, saveUnfinished } from './unfinished.contract.ts'

// Saves the values of Add Product in the account. Most failures are silent: the tab has the texts, and the next change
// saves them again.

const SAVE_AFTER_MS = 1000

type Saved = { id: string; entered: Entered }

let waiting: Saved | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/** Saves after a second without another change. */
export function saveSoon(id: string, entered: Entered) {
  waiting = { id, entered }
  clearTimeout(timer)
  timer = setTimeout(() => void saveNow(), SAVE_AFTER_MS)
}

export async function saveNow(saved = waiting) {
  clearTimeout(timer)
  waiting = null
  if (saved) await change(() => send(saveUnfinished, saved, { fetch: fetchUsed }))
}

/** Deletes an unfinished product, also while a request saves it. */
export async function forgetUnfinished(id: string) {
  if (waiting?.id === id) waiting = null
  await change(() => send(removeUnfinished, { id }, { fetch: fetchUsed }))
}

async function change(run: () => Promise<unknown>) {
  await inOrder('unfinished products', run).catch(showFull)
  await queryClient.invalidateQueries({ queryKey: keyOf(listUnfinished, {}) })
}

let isFullShown = false

function showFull(error: unknown) {
  if (isFullShown || !(error instanceof Failure) || !isConflict(error) || error.code !== 'too_many') return
  isFullShown = true
  toast({ title: 'Not saved in your account', description: reasonOf(error), tone: 'bad' })
}
