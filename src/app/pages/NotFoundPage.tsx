import { LinkButton } from '../../ui/Link.tsx'
import { PageTitle } from '../../ui/PageHead.tsx'
import { EmptyArt } from '../../ui/state/EmptyArt.tsx'

export const NotFoundPage = () => (
  <div className="empty">
    <EmptyArt scene="torn" />
    <PageTitle title="404 Page Not Found" className="empty__title" />
    <p>Did you forget to add the page to the router?</p>
    <div className="empty__action">
      <LinkButton href="/">Home</LinkButton>
    </div>
  </div>
)
