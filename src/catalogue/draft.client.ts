import type { AddProductValues } from './AddProductDialog.tsx'

// What was typed into Add Product outlives a session that ended, a reload and a closed dialog, in this tab alone.

const KEY = 'product-draft'

type Draft = { userId: string; values: AddProductValues }

/** What this customer had typed; what another one of this tab had typed goes. */
export function readDraft(userId: string): AddProductValues | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Draft | null
    if (draft?.userId === userId) return draft.values
    dropDraft()
  } catch {
    // no storage, or not ours: there is no draft
  }
  return null
}

export function keepDraft(userId: string, values: AddProductValues) {
  if (Object.values(values).every((text) => text === '')) return dropDraft()
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ userId, values } satisfies Draft))
  } catch {
    // without storage it lasts as long as the page
  }
}

export function dropDraft() {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // nothing was kept
  }
}
