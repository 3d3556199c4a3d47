import { query } from '../../kit/query/query.client.ts'
import { getStorefront } from './storefront.contract.ts'

export const storefrontQuery = query(getStorefront, {})
