import type pg from 'pg'

// Compares what shoppers saw with the final state. A call without an answer is 'unknown': it may have taken effect.

export type Outcome = 'ok' | 'refused' | 'unknown'

export type Observed = {
  userId: string
  adds: { productId: string; quantity: number; outcome: Outcome }[]
  orders: { orderId: string; totalCents: number }[]
  completed: string[]
}

/** Checks INV6 and INV9: acknowledged orders are unchanged, and no cart line is lost or duplicated. */
export async function findBrokenPromises(client: pg.Client, seen: Observed[]): Promise<string[]> {
  if (seen.length === 0) return []
  const userIds = seen.map(({ userId }) => userId)
  const orders = await client.query<{ id: string; user_id: string; total_cents: number; status: string }>(
    'SELECT id, user_id, total_cents, status FROM orders WHERE user_id = ANY ($1)',
    [userIds],
  )
  const lines = await client.query<{ user_id: string; product_id: string; quantity: number }>(
    `SELECT user_id, product_id, quantity FROM cart_items WHERE user_id = ANY ($1)
     UNION ALL
     SELECT o.user_id, l.product_id, l.quantity FROM orders o JOIN order_lines l ON l.order_id = o.id
     WHERE o.user_id = ANY ($1) AND o.source = 'cart'
       AND NOT EXISTS (SELECT FROM order_events v WHERE v.order_id = o.id AND v.to_status = 'failed')`,
    [userIds],
  )
  const known = new Map(orders.rows.map((order) => [order.id, order]))
  return seen.flatMap((shopper) => [
    ...findLostOrders(shopper, known),
    ...findLostLines(
      shopper,
      lines.rows.filter((line) => line.user_id === shopper.userId),
    ),
  ])
}

type OrderRows = Map<string, { user_id: string; total_cents: number; status: string }>

function findLostOrders({ userId, orders, completed }: Observed, known: OrderRows): string[] {
  const changed = orders.filter(({ orderId, totalCents }) => {
    const order = known.get(orderId)
    return order?.user_id !== userId || Number(order.total_cents) !== totalCents
  })
  const undone = completed.filter((orderId) => !/^(completed|refunded)$/.test(known.get(orderId)?.status ?? ''))
  return [
    ...changed.map(({ orderId }) => `INV6: order ${orderId} was acknowledged and is gone or another`),
    ...undone.map((orderId) => `INV6: order ${orderId} was said to be completed and is not`),
  ]
}

function findLostLines({ userId, adds }: Observed, lines: { product_id: string; quantity: number }[]): string[] {
  const productIds = new Set([...adds.map(({ productId }) => productId), ...lines.map((line) => line.product_id)])
  return [...productIds].flatMap((productId) => {
    const added = (outcome: Outcome) =>
      sum(adds.filter((add) => add.productId === productId && add.outcome === outcome).map(({ quantity }) => quantity))
    const least = added('ok')
    const most = least + added('unknown')
    const there = sum(lines.filter((line) => line.product_id === productId).map(({ quantity }) => quantity))
    if (there >= least && there <= most) return []
    const wanted = least === most ? String(least) : `${least} to ${most}`
    return [`INV9: customer ${userId} put ${wanted} of product ${productId} into the cart, and ${there} are left`]
  })
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
