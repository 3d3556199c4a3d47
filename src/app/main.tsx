import { startTransition } from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { whenProofIsAsked, whenUnauthorized } from '../kit/call.client.ts'
import { endFirstView } from '../kit/drawn.client.ts'
import { whenNear } from '../kit/query/prefetch.client.ts'
import { queryClient } from '../kit/query/query.client.ts'
// Before the first page, because a reload may have left the history entry of a closed dialog.
import '../ui/backEntries.client.ts'
import './app.css'
import { toastProof } from '../identity/toastFailure.client.ts'
import { App } from './App.tsx'
import { Root as Tree } from './Root.tsx'
import { leaveForSignIn } from '../identity/leave.client.ts'
import { placeAt, readsOf } from './shell/pages.tsx'
import { comeHome, isFurtherDown, takeReplies } from './firstView/replies.client.ts'
import { wasScrolled } from '../ui/useScroll.ts'

whenUnauthorized(leaveForSignIn)
whenProofIsAsked((refused) =>
  import('../account/security/AskProof.tsx').then(
    ({ askProof }) => askProof(refused),
    () => {
      toastProof()
      return false
    },
  ),
)

whenNear((href) => {
  const found = placeAt(href)
  void found?.place.Page.preload()
  found?.place.readAhead?.(found.id)
})

declare global {
  interface Window {
    /** Repeats the input that came before the script. See inline/caught.js. */
    takeOver?: () => void
  }
}

let shown: Root | undefined

const draw = () => (
  <Tree client={queryClient} onShown={answer}>
    <App />
  </Tree>
)

function answer() {
  endFirstView()
  window.takeOver?.()
  // The server may have rendered for another time zone than the browser's.
  if (comeHome()) shown?.render(draw())
}

// In a separate task, so that a slow phone can handle a press after loading the scripts.
setTimeout(() => void begin())

/** Hydrates the server's page. Renders a new one if there is none, or if the shopper returns further down a list. */
async function begin() {
  const root = document.getElementById('root')!
  const found = placeAt(location.pathname)
  await found?.place.Page.preload()
  const isDrawn = found && takeReplies(readsOf(found))
  if (isDrawn && !wasScrolled() && !isFurtherDown())
    return startTransition(() => void (shown = hydrateRoot(root, draw())))
  endFirstView()
  comeHome()
  createRoot(root).render(draw())
}

const LATER_MS = 3000
const ignore = () => undefined
setTimeout(() => {
  void import('./offline/offline.client.ts').then(({ startOffline }) => startOffline(), ignore)
  // A store that has rendered has already started the monitor.
  void import('../monitoring/errors/monitor.client.ts').then(({ startMonitor }) => startMonitor(), ignore)
}, LATER_MS)
