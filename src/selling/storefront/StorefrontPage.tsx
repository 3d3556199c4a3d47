import { useQuery } from '@tanstack/react-query'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { LinkButton } from '../../ui/Link.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { SellerTabs } from '../SellerTabs.tsx'
import { storefrontQuery } from './storefront.query.client.ts'

const waiting = <Skeleton height="30rem" />
const StorefrontEditor = lazyPart(() => import('./StorefrontEditor.tsx'), 'StorefrontEditor', waiting)

/** Edits the seller's page, except name and picture, which come from the profile. */
export function StorefrontPage() {
  const { data: storefront, isError, refetch } = useQuery({ ...storefrontQuery, refetchOnMount: 'always' })
  return (
    <div className="section gap-5">
      <SellerTabs />
      <PageHead
        title="Your page"
        about={storefront && !storefront.isOpen ? 'It opens when your first product is on sale.' : undefined}
        action={storefront?.isOpen && <LinkButton href={`/seller/${storefront.handle}`}>Open your page</LinkButton>}
      />
      {storefront ? (
        <StorefrontEditor storefront={storefront} />
      ) : isError ? (
        <ErrorState title="Couldn’t load your seller page" onRetry={() => void refetch()} />
      ) : (
        waiting
      )}
    </div>
  )
}
