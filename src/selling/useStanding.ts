import { useQueryClient } from '@tanstack/react-query'
import { navigate } from 'wouter/use-browser-location'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { call } from '../kit/call.client.ts'
import { isRefusal, reasonOf } from '../kit/failure.ts'
import type { ListPage } from '../kit/query/list.client.ts'
import { keyOf } from '../kit/query/query.client.ts'
import { toast } from '../ui/toasts/toast.client.ts'
import {
  duplicateProduct,
  listOwnProducts,
  type OwnProduct,
  relistMany,
  removeProduct,
  type Status,
  withdrawMany,
} from './selling.contract.ts'

const OWN = keyOf(listOwnProducts, {})

type Pages = { pages: ListPage<OwnProduct[]>[] }
export type Chosen = Pick<OwnProduct, 'id' | 'title' | 'delivery'>

const named = (products: Chosen[], what: string) =>
  products.length === 1 ? `“${products[0]!.title}” ${what}` : `${products.length} products ${what}`

const NEEDS: Record<Chosen['delivery'], string> = {
  file: 'a file',
  code: 'a code',
  license: 'a file',
  course: 'a lesson',
  bundle: 'parts that are on sale',
}

const whyRefused = (lacking: Chosen[]) =>
  `can’t go on sale without ${[...new Set(lacking.map(({ delivery }) => NEEDS[delivery]))].join(' or ')}`

export function useFreshOwn() {
  const cache = useQueryClient()
  return () => {
    for (const queryKey of [OWN, ['/api/products'], ['/api/categories']]) void cache.invalidateQueries({ queryKey })
  }
}

/** Withdraws, relists and removes products. Updates the list optimistically and rolls back a refused change. */
export function useStanding() {
  const cache = useQueryClient()
  const refresh = useFreshOwn()
  const show = (products: Chosen[], status: Status) =>
    cache.setQueriesData<Pages>(
      { queryKey: OWN, predicate: ({ queryKey }) => typeof queryKey[1] !== 'string' },
      (list) => {
        const isChosen = (one: OwnProduct) => products.some(({ id }) => id === one.id)
        const change = (one: OwnProduct) =>
          isChosen(one) ? { ...one, status, isActive: status === 'listed', withdrawnAt: null } : one
        return list && { ...list, pages: list.pages.map((page) => ({ ...page, items: page.items.map(change) })) }
      },
    )

  async function move(products: Chosen[], to: 'withdrawn' | 'listed', canUndo = true) {
    await cache.cancelQueries({ queryKey: OWN })
    show(products, to)
    const ids = products.map(({ id }) => id)
    try {
      const { changed, refused } = await call(to === 'listed' ? relistMany : withdrawMany, { ids })
      const moved = products.filter(({ id }) => changed.includes(id))
      const lacking = products.filter(({ id }) => refused.includes(id))
      toast({
        title:
          moved.length > 0
            ? named(moved, to === 'listed' ? 'on sale' : 'off sale')
            : lacking.length > 0
              ? 'Not on sale yet'
              : 'Nothing to change',
        description: lacking.length > 0 ? `${named(lacking, whyRefused(lacking))}.` : undefined,
        tone: moved.length > 0 ? 'good' : 'plain',
        ...(moved.length > 0 &&
          canUndo && {
            action: {
              label: 'Undo',
              hint: 'The options of each product undo it, too',
              run: () => void move(moved, to === 'listed' ? 'withdrawn' : 'listed', false),
            },
          }),
      })
    } catch (error) {
      toastFailure(error, reasonOf(error, isRefusal) ?? 'Failed to change your products. Please try again.')
    }
    refresh()
  }

  async function remove(product: Chosen, whenRemoved?: () => void) {
    try {
      const { outcome } = await call(removeProduct, { id: product.id })
      whenRemoved?.()
      toast(
        outcome === 'deleted'
          ? { title: named([product], 'deleted') }
          : {
              title: named([product], 'archived'),
              description: 'It’s in orders or carts. Buyers keep what they bought.',
            },
      )
    } catch (error) {
      toastFailure(error, reasonOf(error, isRefusal) ?? 'Failed to delete the product. Please try again.')
    }
    refresh()
  }

  async function duplicate({ id }: Chosen) {
    try {
      const copy = await call(duplicateProduct, { id })
      toast({ title: 'Draft made', description: 'It has no picture and no file yet.' })
      navigate(`/my-products/${copy.id}`)
    } catch (error) {
      toastFailure(error, reasonOf(error, isRefusal) ?? 'Failed to duplicate the product. Please try again.')
    }
    refresh()
  }

  return {
    withdraw: (products: Chosen[]) => void move(products, 'withdrawn'),
    relist: (products: Chosen[]) => void move(products, 'listed'),
    remove: (product: Chosen, whenRemoved?: () => void) => void remove(product, whenRemoved),
    duplicate: (product: Chosen) => void duplicate(product),
  }
}
