import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { ChatButton } from '../../support/chat/ChatButton.tsx'
import { CartLink } from '../../cart/CartLink.tsx'
import type { CurrentUser } from '../../identity/identity.contract.ts'
import { ConnectionNotice } from '../../ui/state/ConnectionNotice.tsx'
import { Link } from '../../ui/Link.tsx'
import { Brand } from './Brand.tsx'
import { Nav } from './Nav.tsx'
import { PaletteHost } from '../palette/PaletteHost.tsx'
import { StatusBar } from './StatusBar.tsx'

type ShellProps = {
  user: CurrentUser
  hidesNav?: boolean
  children: ReactNode
}

export function Shell({ user, hidesNav, children }: ShellProps) {
  return (
    <>
      <a className="skip btn btn--primary" href="#main">
        Skip to content
      </a>
      <div className={hidesNav ? 'shell shell--bare' : 'shell'}>
        <StatusBar />
        <Nav user={user} />
        <header className="topbar">
          <Link className="brand" href="/">
            <Brand />
          </Link>
          <PaletteHost userId={user.id} />
          <div className="topbar__actions">
            <Link
              className="icon-btn icon-btn--search"
              href="/categories"
              state={{ isSearching: true }}
              aria-label="Search"
            >
              <Search className="icon" aria-hidden />
            </Link>
            <CartLink />
          </div>
          <ConnectionNotice />
        </header>
        <main className="page" id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <ChatButton />
    </>
  )
}
