import type { Product } from '../catalogue.contract.ts'
import type { RealtimeProducts } from './realtime.contract.ts'

/** The products with their news; the same array when there are none. What was removed stays to be seen, but not to be bought. */
export function applyChanges<P extends Product>(products: P[], { changed, removed }: RealtimeProducts): P[] {
  const news = new Map<string, Partial<Product>>([
    ...changed.map(({ id, title, price }) => [id, { title, price, isActive: true }] as const),
    ...removed.map((id) => [id, { isActive: false }] as const),
  ])
  let isChanged = false
  const next = products.map((product) => {
    const told = news.get(product.id)
    const isNew = told && Object.entries(told).some(([name, value]) => product[name as keyof Product] !== value)
    if (!isNew) return product
    isChanged = true
    return { ...product, ...told }
  })
  return isChanged ? next : products
}
