import { required } from '../src/kit/values/required.ts'
// Generates honest customers from a seed, without the risk rules: new and old ones, shared addresses, travellers, cards that fail once.

export type Purchase = { category: string; priceCents: number; quantity: number }
export type History = {
  accountAgeHours: number
  network: string
  country: string
  payer: { id: string; country: string; isVerified: boolean }
  mailHost: string
  past: (Purchase & { hoursAgo: number })[]
  unpaid: number
  declines: number
  hints: ('low' | 'medium' | 'high')[]
  today: Purchase[]
}

const CASH = ['gift-cards', 'crypto', 'prepaid']
const OTHERS = ['ebooks', 'courses', 'software', 'audio']
const HOSTS = ['gmail.example', 'outlook.example', 'icloud.example', 'proton.example', 'school.example']
const COUNTRIES = ['US', 'GB', 'DE', 'NG', 'IN', 'ZA', 'CA']

export function drawHistory(random: () => number, n: number): History {
  const happens = (share: number) => random() < share
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const pick = <T>(all: readonly T[]) => required(all[Math.floor(random() * all.length)], 'an entry of all')
  const purchase = (): Purchase => {
    if (happens(0.45)) return { category: pick(CASH), priceCents: pick([1000, 2500, 5000, 10_000]), quantity: cards() }
    const priceCents = happens(0.03) ? between(300_00, 900_00) : between(300, 120_00)
    return { category: pick(OTHERS), priceCents, quantity: happens(0.9) ? 1 : 2 }
  }
  const cards = () => (happens(0.8) ? 1 : between(2, 4))

  const share = random()
  const accountAgeHours =
    share < 0.25
      ? between(0, 23)
      : share < 0.4
        ? between(24, 24 * 7)
        : share < 0.6
          ? between(24 * 7, 24 * 30)
          : between(24 * 30, 24 * 1000)
  const country = pick(COUNTRIES)
  // every tenth person shares an address with nine others, like customers of a mobile carrier
  const isShared = n % 10 === 0
  const network = isShared ? `20.${Math.floor(n / 100)}.1.9` : `21.${n >> 8}.${n & 255}.4`
  return {
    accountAgeHours,
    network,
    country,
    payer: {
      id: happens(0.06) ? `P${Math.max(0, n - 1)}` : `P${n}`,
      country: happens(0.05) ? pick(COUNTRIES) : country,
      isVerified: !happens(0.03),
    },
    mailHost: pick(HOSTS),
    past:
      accountAgeHours < 48
        ? []
        : Array.from({ length: between(0, Math.min(12, Math.ceil(accountAgeHours / 100))) }, () => ({
            ...purchase(),
            hoursAgo: between(26, accountAgeHours),
          })),
    unpaid: happens(0.15) ? between(1, 3) : 0,
    declines: happens(0.1) ? between(1, 2) : 0,
    // an honest phone that does not move causes at most one report, worth at most 25 points
    hints: happens(0.2) ? [pick(['low', 'medium', 'high'] as const)] : [],
    today: Array.from({ length: happens(0.75) ? 1 : between(2, 3) }, purchase),
  }
}
