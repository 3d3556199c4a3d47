import { pagesOf } from '../kit/query/list.client.ts'
import { useList } from '../kit/query/useList.ts'
import { listOwnProducts } from './ownProducts.contract.ts'

/** Products per page. */
export const STEP = 24

/** The member's own products, newest first. Refetched, because another window may have added a product or its file. */
export const useOwnProducts = () => useList({ ...pagesOf(listOwnProducts, { limit: STEP }), refetchOnMount: 'always' })
