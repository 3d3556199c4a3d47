import { LinkButton } from '../../ui/Link.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'

export const NotFoundPage = () => (
  <EmptyState
    isPage
    scene="torn"
    title="404 Page Not Found"
    action={
      <div className="row gap-2">
        <LinkButton href="/">Home</LinkButton>
        <LinkButton href="/categories">Search the shop</LinkButton>
      </div>
    }
  >
    Did you forget to add the page to the router?
  </EmptyState>
)
