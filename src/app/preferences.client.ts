import { call } from '../kit/call.client.ts'
import { getPreferences, savePreferences } from './preferences.contract.ts'
import { type Look, lookOf, meet, type Preferences, readPreferences } from './preferences.rules.ts'

// The device's copy is the one that is drawn from, before anything else is known. The account's is read once the shop
// stands, and written a moment after the last change.

const KEY = 'preferences'
const SETTLED_MS = 500

const read = (): Preferences => {
  try {
    return readPreferences(localStorage.getItem(KEY))
  } catch {
    return readPreferences(null)
  }
}

let preferences = read()
const watchers = new Set<() => void>()

export const readKept = (): Preferences => preferences

export function watchKept(changed: () => void): () => void {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

function keep(next: Preferences) {
  show(next)
  try {
    localStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // storage is closed: the choice lasts as long as the page
  }
}

function show(next: Preferences) {
  preferences = next
  apply(next)
  for (const tell of watchers) tell()
}

// another tab has changed them
addEventListener('storage', ({ key }) => key === KEY && show(read()))

/** Shows a change at once, keeps it, and sends it when it has settled. */
export function changePreferences(changes: Partial<Look>) {
  keep({ ...preferences, ...changes, isUnsent: true })
  sendSoon()
}

/** Auto Sync. Turned on, the device takes the account's look, or gives its own when the account has none. */
export async function setSynced(isSynced: boolean, userId: string) {
  keep({ ...preferences, isSynced, isUnsent: false })
  if (!isSynced) return
  const before = preferences
  const { look } = await call(getPreferences, {})
  // a choice made while the answer was on its way stands, and is sent
  if (preferences !== before) return
  if (look) keep({ ...preferences, ...look, owner: userId })
  else await send(userId)
}

let knownUser: string | null = null

/** Brings the device and the account together; called once it is known who is signed in. */
export async function meetAccount(userId: string) {
  knownUser = userId
  if (!preferences.isSynced) return
  const before = preferences
  const { look } = await call(getPreferences, {})
  // a choice made while the answer was on its way stands
  const act = preferences === before ? meet(preferences, userId, look) : 'nothing'
  if (act === 'send') await send(userId)
  if (act === 'take') keep({ ...preferences, ...look, isUnsent: false, owner: userId })
}

let timer: ReturnType<typeof setTimeout> | undefined
let sending: Promise<unknown> = Promise.resolve()

function sendSoon() {
  clearTimeout(timer)
  if (!preferences.isSynced || knownUser === null) return
  const userId = knownUser
  timer = setTimeout(() => {
    // one after another: what was sent last arrives last. A failure stays unsent, and goes out with the next start
    sending = sending.then(() => send(userId)).catch(() => undefined)
  }, SETTLED_MS)
}

async function send(userId: string) {
  const sent = lookOf(preferences)
  await call(savePreferences, sent)
  const isSame = JSON.stringify(lookOf(preferences)) === JSON.stringify(sent)
  keep({ ...preferences, isUnsent: !isSame, owner: userId })
}

function apply({ theme, mode, textSize, canZoom }: Preferences) {
  const html = document.documentElement
  html.dataset.theme = theme
  html.dataset.mode = mode
  html.style.fontSize = textSize === 100 ? '' : `${textSize}%`
  html.toggleAttribute('data-zoom', canZoom)
  const lock = canZoom ? '' : 'maximum-scale=1, '
  document
    .querySelector<HTMLMetaElement>('meta[name=viewport]')!
    .setAttribute('content', `width=device-width, initial-scale=1, ${lock}viewport-fit=cover`)
}
