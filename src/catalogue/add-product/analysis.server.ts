import { readFileSync } from 'node:fs'
import { statement } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle } from '../../kit/handle.server.ts'
import { toDecimal } from '../../kit/money.ts'
import { analyzeProduct } from './analysis.contract.ts'

export const analysisRoutes = [
  handle(
    analyzeProduct,
    { limits: [{ per: 'account', count: 20, seconds: 300, isShared: true }] },
    async ({ description }, { pool }) => {
      const [found] = await findNearest(pool, description)
      if (!found) throw new Failure(404, 'Nothing in the store matches this description.', 'nothing_near')
      return {
        category: found.category,
        suggestedPrice: toDecimal(found.median),
        lowestPrice: toDecimal(found.lowest),
        highestPrice: toDecimal(found.highest),
        products: found.products,
      }
    },
  ),
]

type Found = { category: string; median: number; lowest: number; highest: number; products: number }

const findNearest = statement<Found, [description: string]>(
  'analysis',
  readFileSync(new URL('analysis.sql', import.meta.url), 'utf8'),
)
