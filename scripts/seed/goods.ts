import { createHash } from 'node:crypto'
import { books } from './books.ts'
import { courses } from './courses.ts'
import { type CategoryId, type FileKind, type Good, goodOf } from './good.ts'
import { guides } from './guides.ts'
import { coinLedger } from './ledger.ts'
import { software } from './software.ts'
import { sounds } from './sounds.ts'
import { coinVouchers, giftCards, prepaidVouchers, voucherNotice } from './vouchers.ts'

/** Everything the demo store sells, the three featured goods first. */
export const goods: Good[] = [
  ...giftCards.map((listing) => goodOf(listing, 'gift-cards', 'pdf')),
  ...coinVouchers.map((listing) => goodOf(listing, 'crypto', 'pdf')),
  ...guides.map((listing) => goodOf(listing, 'crypto', 'pdf')),
  goodOf(coinLedger, 'crypto', 'zip'),
  ...prepaidVouchers.map((listing) => goodOf(listing, 'prepaid', 'pdf')),
  ...books.map((listing) => goodOf(listing, 'ebooks', 'epub')),
  ...courses.map((listing) => goodOf(listing, 'courses', 'zip')),
  ...software.map((listing) => goodOf(listing, 'software', 'zip')),
  ...sounds.map((listing) => goodOf(listing, 'audio', 'wav')),
].sort((a, b) => Number(b.isFeatured ?? false) - Number(a.isFeatured ?? false))

const manners =
  'Quiet Early Amber Northern Little Second Plain Brisk Winter Hollow Silver Late Gentle Upper Open Blue Narrow Sunday Bright Inland Patient Coastal Paper Common'.split(
    ' ',
  )
const places =
  'Harbour Meadow Orchard Station Ridge Garden Lantern Market Mill Island Chapel Quarry Ferry Heath Courtyard River Attic Bakery Bridge Terrace Valley Lighthouse Canal Square'.split(
    ' ',
  )

type Series = {
  categoryId: CategoryId
  file: FileKind
  things: string[]
  use: string
  cents: [low: number, high: number]
}

const series: Series[] = [
  {
    categoryId: 'gift-cards',
    file: 'pdf',
    things: ['Gift Card', 'Present Card', 'Thank-You Card'],
    use: 'A demo gift card for an invented shop.',
    cents: [500, 50_000],
  },
  {
    categoryId: 'crypto',
    file: 'pdf',
    things: ['USDC Demo Voucher', 'BTC Demo Voucher', 'ETH Demo Voucher'],
    use: 'A demo voucher; no coin is bought, held or sent.',
    cents: [1000, 25_000],
  },
  {
    categoryId: 'prepaid',
    file: 'pdf',
    things: ['Prepaid Voucher', 'Travel Voucher', 'Budget Voucher'],
    use: 'A demo prepaid voucher; it is not a payment card.',
    cents: [1000, 50_000],
  },
  {
    categoryId: 'ebooks',
    file: 'epub',
    things: ['Notebook', 'Almanac', 'Companion', 'Reader'],
    use: 'A short e-book in two chapters.',
    cents: [100, 1500],
  },
  {
    categoryId: 'courses',
    file: 'zip',
    things: ['Workshop', 'Primer', 'Lessons'],
    use: 'A short written course in two lessons.',
    cents: [500, 6000],
  },
  {
    categoryId: 'software',
    file: 'zip',
    things: ['Templates', 'Toolkit', 'Snippets'],
    use: 'A few small files for your own projects.',
    cents: [100, 4000],
  },
  {
    categoryId: 'audio',
    file: 'wav',
    things: ['Chime', 'Loop', 'Melody', 'Signal'],
    use: 'A short synthesised recording as a WAV file.',
    cents: [100, 900],
  },
]

/** `count` further goods for load tests: always the same, no two alike, spread evenly over the categories. */
export function moreGoods(count: number): Good[] {
  return Array.from({ length: count }, (_, i) => furtherGood(i))
}

function furtherGood(i: number): Good {
  const { categoryId, file, things, use, cents } = series[i % series.length]!
  const turn = Math.floor(i / series.length)
  // Each step meets every name once before any comes again, and keeps neighbours from sharing one.
  const manner = manners[(turn + 5 * (i % series.length)) % 24]!
  const place = places[(Math.floor(turn / 24) + 5 * turn) % 24]!
  const thing = things[(Math.floor(turn / 576) + turn) % things.length]!
  const volume = Math.floor(turn / (576 * things.length)) + 1
  const name = `${manner} ${place} ${thing}${volume > 1 ? ` No. ${volume}` : ''}`
  const isVoucher = file === 'pdf'
  const spread = createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32
  const price =
    Math.round((cents[0] + (cents[1] - cents[0]) * spread ** 3) / (isVoucher ? 500 : 50)) * (isVoucher ? 5 : 0.5)
  return goodOf(
    {
      slug: `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${i + 1}`,
      title: isVoucher ? `${name}, $${price}` : name,
      price: price.toFixed(2),
      description: `${use} ${isVoucher ? voucherNotice : 'Made to fill the shelves of a demo store, and complete as far as it goes.'}`,
    },
    categoryId,
    file,
  )
}
