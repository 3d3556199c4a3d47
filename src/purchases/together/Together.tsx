import { useQuery } from '@tanstack/react-query'
import { AddToCartButton } from '../AddToCartButton.tsx'
import { ProductCard } from '../../catalogue/ProductCard.tsx'
import { query } from '../../kit/query/query.client.ts'
import { listTogether } from './together.contract.ts'

export function Together({ id }: { id: string }) {
  const { data: products = [] } = useQuery(query(listTogether, { id }))
  if (products.length === 0) return null
  return (
    <section className="section" aria-labelledby="together">
      <h2 id="together">Bought together</h2>
      <div className="products">
        {products.map((product) => (
          <ProductCard key={product.id} product={product} Action={AddToCartButton} level={3} />
        ))}
      </div>
    </section>
  )
}
