import type { Listing } from './good.ts'

/** What every voucher says, in its description and on its ticket. */
export const voucherNotice = 'This is a demo store: the voucher has no cash value and cannot be used anywhere else.'

const giftCard = (slug: string, shop: string, dollars: number, gift: string, isFeatured?: boolean): Listing => ({
  slug: `${slug}-gift-card-${dollars}`,
  title: `${shop} Gift Card, $${dollars}`,
  price: `${dollars}.00`,
  description: `${gift} It is delivered at once after payment. The shop is invented. ${voucherNotice}`,
  isFeatured,
})

export const giftCards: Listing[] = [
  giftCard(
    'fernhill-bookshop',
    'Fernhill Bookshop',
    25,
    'For a friend who reads in the bath: a demo gift card of $25 for new and second-hand books.',
    true,
  ),
  giftCard(
    'larkspur-coffee',
    'Larkspur Coffee Bar',
    10,
    'Three good cups and a bun: a demo gift card of $10 for a coffee bar.',
  ),
  giftCard(
    'northlight-cinema',
    'Northlight Cinema',
    30,
    'Two seats and something to share: a demo gift card of $30 for an evening at the pictures.',
  ),
  giftCard(
    'alder-garden',
    'Alder Garden Centre',
    50,
    'Bulbs, pots and one thing nobody needed: a demo gift card of $50 for a garden centre.',
  ),
  giftCard(
    'oakmoor-outdoors',
    'Oakmoor Outdoors',
    100,
    'Towards boots that keep the water out: a demo gift card of $100 for a walking shop.',
  ),
  giftCard(
    'pebble-pine-toys',
    'Pebble and Pine Toys',
    20,
    'Wooden, noisy or both: a demo gift card of $20 for a toy shop.',
  ),
  giftCard(
    'saltmarsh-kitchen',
    'Saltmarsh Kitchen',
    75,
    'Dinner for two, pudding included: a demo gift card of $75 for a small restaurant.',
  ),
  giftCard(
    'lantern-lane-records',
    'Lantern Lane Records',
    40,
    'Two records, or one and a good sleeve: a demo gift card of $40 for a record shop.',
  ),
  giftCard(
    'blue-kiln-pottery',
    'Blue Kiln Pottery',
    150,
    'An afternoon at the wheel: a demo gift card of $150 for a pottery class.',
  ),
  giftCard(
    'harbour-house',
    'Harbour House Hotel',
    500,
    'Two nights with a view of the boats: a demo gift card of $500 for a seaside hotel.',
  ),
]

const prepaid = (slug: string, name: string, dollars: number, use: string): Listing => ({
  slug: `${slug}-prepaid-${dollars}`,
  title: `${name} Prepaid Voucher, $${dollars}`,
  price: `${dollars}.00`,
  description: `${use} It is delivered at once after payment. It is not a payment card and belongs to no card network. ${voucherNotice}`,
})

export const prepaidVouchers: Listing[] = [
  prepaid('pocket', 'Pocket', 10, 'The smallest of the demo prepaid vouchers, good for trying the checkout with $10.'),
  prepaid('everyday', 'Everyday', 25, 'A demo prepaid voucher of $25, the size most people try first.'),
  prepaid('commuter', 'Commuter', 40, 'A demo prepaid voucher of $40, shown as a month of tickets to work would be.'),
  prepaid('household', 'Household', 50, 'A demo prepaid voucher of $50, as one would set aside for the weekly shop.'),
  prepaid('student', 'Student', 75, 'A demo prepaid voucher of $75, as a parent would send in the first week of term.'),
  prepaid('traveller', 'Traveller', 100, 'A demo prepaid voucher of $100, as one would load before a weekend away.'),
  prepaid(
    'workshop',
    'Workshop',
    200,
    'A demo prepaid voucher of $200, as a small firm would hand out for tools and materials.',
  ),
  prepaid('studio', 'Studio', 300, 'A demo prepaid voucher of $300, as a studio would keep for subscriptions.'),
  prepaid(
    'grand',
    'Grand',
    500,
    'The largest of the demo prepaid vouchers, for seeing how the store treats an order of $500.',
  ),
]

const coinVoucher = (coin: string, dollars: number, use: string): Listing => ({
  slug: `${coin.toLowerCase()}-demo-voucher-${dollars}`,
  title: `${coin} Demo Voucher, $${dollars}`,
  price: `${dollars}.00`,
  description: `${use} No coin is bought, held or sent. ${voucherNotice}`,
})

export const coinVouchers: Listing[] = [
  coinVoucher(
    'USDC',
    25,
    'A demo voucher in the name of $25 in USDC, for trying how a crypto order is shown and delivered.',
  ),
  coinVoucher(
    'BTC',
    50,
    'A demo voucher in the name of $50 in BTC, for trying how a crypto order is shown and delivered.',
  ),
  coinVoucher(
    'ETH',
    100,
    'A demo voucher in the name of $100 in ETH, for trying how a crypto order is shown and delivered.',
  ),
  coinVoucher(
    'SOL',
    20,
    'A demo voucher in the name of $20 in SOL, for trying how a crypto order is shown and delivered.',
  ),
  coinVoucher(
    'LTC',
    10,
    'A demo voucher in the name of $10 in LTC, for trying how a crypto order is shown and delivered.',
  ),
]
