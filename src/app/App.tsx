import { useEffect } from 'react'
import { flushSync } from 'react-dom'
import { type AroundNavHandler, Router, useLocation } from 'wouter'
import { mayOpen } from '../admin/adminPages.ts'
import { useSession } from '../identity/sessions/useSession.ts'
import type { CurrentUser } from '../identity/identity.contract.ts'
import { awaitHeading } from '../ui/PageHead.tsx'
import { ToastHost } from '../ui/toasts/ToastHost.tsx'
import { ErrorBoundary, Trouble } from './shell/ErrorBoundary.tsx'
import { NotFoundPage } from './pages/NotFoundPage.tsx'
import { type PageMatch, placeAt } from './shell/pages.tsx'
import { Shell } from './shell/Shell.tsx'
import { useScroll } from '../ui/useScroll.ts'

export function App() {
  const { user, isLoading, isUnknown, retry } = useSession()
  return (
    <>
      {isLoading ? (
        <Loading />
      ) : user ? (
        <Shop user={user} />
      ) : isUnknown ? (
        <main className="loading">
          <Trouble retry={() => void retry()}>
            {location.pathname === '/profile' && 'Unable to load profile. '}
            {navigator.onLine ? 'The store didn’t respond. You’re still signed in.' : 'You’re offline right now.'}
          </Trouble>
        </main>
      ) : (
        <Outside />
      )}
      <ToastHost />
    </>
  )
}

/** Fills the screen until the session has loaded. index.html contains the same markup. */
const Loading = () => (
  <div className="loading" role="status">
    <span className="spinner spinner--lg" aria-hidden />
    Loading...
  </div>
)

const Shop = ({ user }: { user: CurrentUser }) => (
  <Router aroundNav={goTo}>
    <Pages user={user} />
  </Router>
)

function Pages({ user }: { user: CurrentUser }) {
  const [path] = useLocation()
  useEffect(() => {
    let stop: (() => void) | undefined
    let isHere = true
    // In a separate task, so that the page can handle a press first.
    const start = setTimeout(() => {
      import('./live/startLive.client.ts').then(
        ({ follow }) => isHere && (stop = follow(user.id)),
        () => undefined,
      )
    })
    return () => {
      isHere = false
      clearTimeout(start)
      stop?.()
    }
  }, [user.id])
  const found = mayOpen(path, user.role) ? placeAt(path) : undefined
  useScroll()
  return (
    <Shell user={user} hidesNav={found?.place.hidesNav}>
      <ErrorBoundary place={path}>
        {found ? <found.place.Page key={keyOf(found)} id={found.id} /> : <NotFoundPage />}
      </ErrorBoundary>
    </Shell>
  )
}

/** Another product mounts a new page. Another order reuses the list. */
const keyOf = ({ path, id }: PageMatch) => (path === '/product/:id' ? id : (path.split('/')[1] ?? ''))

/** Runs for every link: moves the focus to the next heading and animates the picture from card to product. */
const goTo: AroundNavHandler = (navigate, to, given) => {
  // A link in a dialog replaces the history entry of that dialog.
  const isInDialog = (history.state as { dialogs?: number } | null)?.dialogs
  const options = isInDialog ? { ...given, replace: true } : given
  const isSamePage = to.split('?')[0] === location.pathname
  // A field of a dialog that just closed may still have the focus.
  if (!isSamePage && !document.activeElement?.matches('main input')) awaitHeading()
  const canMove =
    options?.transition &&
    'startViewTransition' in document &&
    placeAt(to)?.place.Page.isHere() &&
    !matchMedia('(prefers-reduced-motion: reduce)').matches
  if (!canMove) return navigate(to, options)
  document.startViewTransition(() => flushSync(() => navigate(to, options)))
}

/** The session ended while the app loaded. After a reload, the server shows the landing page at this address. */
function Outside() {
  useEffect(() => location.reload(), [])
  return <Loading />
}
