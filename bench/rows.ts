import { wrapped } from '../src/kit/values/required.ts'
import type { Side } from './measure.ts'
import type { BenchRequest } from './orders.ts'
import {
  askBareHttp,
  askBareSql,
  askShop,
  checkOut,
  type Helpers,
  onDatabase,
  replayCheckouts,
  setFaults,
} from './sides.ts'
import type { BenchStage } from './stage.ts'

// Actions of a customer, each with the limit of the same machine.

export type Row = {
  name: string
  ours: Side
  kind?: 'node:http' | 'SQL'
  limit?: Side
  prepare?: () => Promise<unknown>
}

export function rowsOf(stage: BenchStage, helpers: Helpers): Row[] {
  const { port, databaseUrl, members, recordings, productIds, searches } = stage
  const asking = (requests: (round: number) => BenchRequest[]) => askShop(stage, helpers, requests)
  const sending = (statements: Parameters<typeof askBareSql>[2]) => askBareSql(stage, helpers, statements)
  const reading = (name: string, requests: BenchRequest[]): Row => {
    const { side: limit, prepare } = askBareHttp(stage, helpers, requests)
    return { name, ours: asking(() => requests), kind: 'node:http', limit, prepare }
  }
  const searchLine = (q: string) => `GET /api/products?limit=24&q=${encodeURIComponent(q)}`
  const byMembers = (path: string) => members.map(({ cookie }) => ({ line: `GET ${path}`, cookie }))
  const lines = members.flatMap((member, i) =>
    productIds.slice(i % 20, (i % 20) + 5).map((productId) => ({ member, productId })),
  )
  return [
    reading('list of 24', [{ line: 'GET /api/products?limit=24' }]),
    reading(
      'detail',
      productIds.slice(0, 50).map((id) => ({ line: `GET /api/products/${id}` })),
    ),
    reading(
      'search, remembered',
      searches.slice(0, 20).map((q) => ({ line: searchLine(q) })),
    ),
    {
      name: 'search, new',
      ours: asking((round) => spellings(searches, round).map((q) => ({ line: searchLine(q) }))),
      kind: 'SQL',
      limit: sending(recordings.search),
    },
    {
      name: 'add to cart',
      ours: asking(() =>
        lines.map(({ member: { cookie }, productId }) => ({
          line: 'POST /api/cart',
          cookie,
          body: { productId, quantity: 1 },
        })),
      ),
      kind: 'SQL',
      limit: sending(lines.map(({ member, productId }) => recordings.addFor(member.id, productId))),
    },
    {
      name: 'view cart',
      ours: asking(() => byMembers('/api/cart')),
      kind: 'SQL',
      limit: sending(members.map(({ id }) => ({ ...recordings.view, values: [id] }))),
    },
    reading('page: home', byMembers('/')),
    reading(
      'page: product',
      byMembers('').map((one, i) => ({ ...one, line: `GET /product/${productIds[i % 50]}` })),
    ),
    reading('page: cart', byMembers('/cart')),
    reading('page: orders', byMembers('/orders')),
    {
      name: 'full checkout',
      ours: checkOut(stage, helpers),
      kind: 'SQL',
      limit: replayCheckouts(stage, helpers),
      // The provider's webhooks arrive later and from outside; another row measures their cost.
      prepare: async () => {
        await onDatabase(databaseUrl, (client) => client.query('DELETE FROM cart_items'))
        await setFaults(port, { rate: 1, kinds: ['webhook_lost'] })
      },
    },
    {
      name: 'full checkout and its webhooks',
      ours: checkOut(stage, helpers),
      prepare: () => setFaults(port, { rate: 0, kinds: [] }),
    },
  ]
}

/** Varies the spelling of the words, so that no cache answers; the work is the same. */
function spellings(words: string[], round: number): string[] {
  const count = 8_000
  return Array.from({ length: count }, (_, i) => {
    const turn = round * count + i
    let bits = Math.floor(turn / words.length) + 1
    return [...wrapped(words, turn)]
      .map((letter) => {
        const isUpper = bits % 2 === 1
        bits = Math.floor(bits / 2)
        return isUpper ? letter.toUpperCase() : letter
      })
      .join('')
  })
}
