const BRANDS: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

/** Returns the label of a card, from the brand and digits that a provider reports: 'Visa ending in 4242'. */
export function cardLabel(brand: string | null | undefined, last4: string | null | undefined): string {
  const name = BRANDS[brand?.toLowerCase() ?? ''] ?? 'Card'
  return last4 ? `${name} ending in ${last4}` : name
}
