const BRANDS: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

export function cardLabel(brand: string | null | undefined, last4: string | null | undefined): string {
  const name = BRANDS[brand?.toLowerCase() ?? ''] ?? 'Card'
  return last4 ? `${name} ending in ${last4}` : name
}
