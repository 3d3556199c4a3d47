import { call } from '../../kit/call.client.ts'
import { inOrder } from '../../kit/query/query.client.ts'
import { deviceStorage } from '../../kit/storage.client.ts'
import { createStore, useStore } from '../../kit/store.client.ts'
import { getPreferences, savePreferences } from './preferences.contract.ts'
import { type Look, lookOf, meet, type Preferences, readPreferences } from './preferences.rules.ts'

// The first paint uses the preferences of the device. The app reads those of the account after the page has loaded, and
// saves them shortly after the last change.

const KEY = 'preferences'
const SETTLED_MS = 500

const readKept = () => readPreferences(deviceStorage.read(KEY))

export const preferences = createStore(readKept())

function show(next: Preferences) {
  apply(next)
  preferences.set(next)
}

function keep(changes: Partial<Preferences>) {
  const next = { ...preferences.read(), ...changes }
  deviceStorage.writeJson(KEY, next)
  show(next)
}

addEventListener('storage', ({ key }) => key === KEY && show(readKept()))

export type UsedPreferences = { preferences: Preferences; change: (changes: Partial<Look>) => void }

export const usePreferences = (): UsedPreferences => ({ preferences: useStore(preferences), change: changePreferences })

function changePreferences(changes: Partial<Look>) {
  keep({ ...changes, isUnsent: true })
  sendSoon()
}

/** Returns the account's look. Undefined if the member changed the look during the request. */
async function readAccount(): Promise<Look | null | undefined> {
  const before = preferences.read()
  const { look } = await call(getPreferences, {})
  return preferences.read() === before ? look : undefined
}

/** Turns Auto Sync on or off. When on, the device uses the account's look. If there is none, it saves its own look. */
export async function setSynced(isSynced: boolean, userId: string) {
  keep({ isSynced, isUnsent: false })
  if (!isSynced) return
  const look = await readAccount()
  if (look) keep({ ...look, owner: userId })
  else if (look === null) await send(userId)
}

let knownUser: string | null = null

export async function meetAccount(userId: string) {
  knownUser = userId
  if (!preferences.read().isSynced) return
  const look = await readAccount()
  const act = look === undefined ? 'nothing' : meet(preferences.read(), userId, look)
  if (act === 'send') await send(userId)
  if (act === 'take') keep({ ...look, isUnsent: false, owner: userId })
}

let timer: ReturnType<typeof setTimeout> | undefined

function sendSoon() {
  clearTimeout(timer)
  const userId = knownUser
  if (!preferences.read().isSynced || userId === null) return
  // after a failure, the next start of the app sends the look
  timer = setTimeout(() => void inOrder('preferences', () => send(userId)).catch(() => undefined), SETTLED_MS)
}

async function send(userId: string) {
  const sent = lookOf(preferences.read())
  await call(savePreferences, sent)
  const isSame = JSON.stringify(lookOf(preferences.read())) === JSON.stringify(sent)
  keep({ isUnsent: !isSame, owner: userId })
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
