export const paidCents = (line: { priceCents: number; quantity: number; discountCents: number }): number =>
  line.priceCents * line.quantity - line.discountCents
