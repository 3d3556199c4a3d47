import { BrowseProducts } from '../ui/Link.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'

export const MissingProduct = () => (
  <div className="card">
    <EmptyState isPage scene="search" title="Product not found" action={<BrowseProducts />}>
      The product you're looking for doesn't exist.
    </EmptyState>
  </div>
)
