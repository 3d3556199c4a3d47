import { fetchUsed } from '../../kit/call.client.ts'
import { send } from '../../kit/call.ts'
import { inOrder, keyOf, queryClient } from '../../kit/query/query.client.ts'
import { type Entered, listUnfinished, removeUnfinished, saveUnfinished } from './unfinished.contract.ts'

// Saves what is typed into Add Product in the account. A failure is silent: the tab has the texts, and the next change
// saves again.

const SAVE_AFTER_MS = 1000

let waiting: { id: string; entered: Entered } | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/** Saves after a second without another change. */
export function saveSoon(id: string, entered: Entered) {
  waiting = { id, entered }
  clearTimeout(timer)
  timer = setTimeout(() => void saveNow(), SAVE_AFTER_MS)
}

export async function saveNow() {
  clearTimeout(timer)
  const saved = waiting
  waiting = null
  if (saved) await change(() => send(saveUnfinished, saved, { fetch: fetchUsed }))
}

/** Deletes an unfinished product, also one whose save is under way. */
export async function forgetUnfinished(id: string) {
  if (waiting?.id === id) waiting = null
  await change(() => send(removeUnfinished, { id }, { fetch: fetchUsed }))
}

async function change(run: () => Promise<unknown>) {
  await inOrder('unfinished products', run).catch(() => undefined)
  await queryClient.invalidateQueries({ queryKey: keyOf(listUnfinished, {}) })
}
