import { quoted } from '../draft.rules.ts'

type Stocked = {
  title: string
  cents: number
  suggested: number | null
  delivery: string
  hasVariants: boolean
  isSupplied: boolean
  left: number | null
}

/** From this count on, the exact number does not matter to a buyer. */
const MANY = 10

export function stockOf({ title: typed, cents, suggested, delivery, hasVariants, isSupplied, left }: Stocked): string {
  const title = quoted(typed)
  if (hasVariants) return `${title} is on sale in several variants. Its page shows which of them are in stock.`
  if (left !== null) return left > MANY ? `${title} is in stock.` : `${title} is in stock, ${left} left.`
  const after = cents === 0 && suggested === null ? 'at once' : 'at once after the payment'
  const always = `${title} is always in stock`
  switch (delivery) {
    case 'code':
      return isSupplied
        ? `${title} is on sale. Its supplier makes the code after the payment, and your order shows it when it is there.`
        : `${title} is on sale.`
    case 'license':
      return `${always}: your order shows its key ${after}.`
    case 'course':
      return `${always}: it is a course that you open in your order after the payment.`
    case 'bundle':
      return `${title} is on sale, and so is each of its parts.`
    default:
      return `${always}: it is a download, ready ${after}.`
  }
}
