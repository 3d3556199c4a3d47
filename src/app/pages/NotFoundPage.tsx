import { LinkButton } from '../../ui/Link.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'

export const NotFoundPage = () => (
  <EmptyState isPage scene="torn" title="404 Page Not Found" action={<LinkButton href="/">Home</LinkButton>}>
    Did you forget to add the page to the router?
  </EmptyState>
)
