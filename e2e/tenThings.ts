// Much at once: an order of ten things, and products for a cart of eight lines.

export const EIGHT_TITLES = [
  ...['Salt and Time', 'Morning Bells', 'Glass Rain', 'The Evening Sky', 'Bread by Weight'],
  ...['Larkspur Coffee Bar', 'Night Train', 'Small Rooms, Well Lit'],
]

const FILE = { kind: 'file', contentType: 'application/epub+zip', sizeBytes: 1_258_291, sha256: 'ab'.repeat(32) }
const TEN: [title: string, delivery: object, bundle?: string][] = [
  ['Recording at Home', { kind: 'course', lessons: 9, done: 2 }, 'Home Studio Starter'],
  ['Room Checklist', { ...FILE, fileName: 'room.pdf', moreFiles: 0 }, 'Home Studio Starter'],
  ['Test Tones', { ...FILE, fileName: 'tones.flac', moreFiles: 0 }, 'Home Studio Starter'],
  ['Level Meter', { kind: 'license', devices: 2, file: null }, 'Home Studio Starter'],
  ['The Quiet Inbox', { ...FILE, fileName: 'inbox.epub', moreFiles: 0 }],
  ['Corner Café Gift Card $25', { kind: 'code', count: 1 }],
  ['Night Trains', { ...FILE, fileName: 'trains.mp3', moreFiles: 3 }],
  ['Lo-Fi Loops, Volume 2', { ...FILE, fileName: 'loops.zip', moreFiles: 0 }],
  ['Typing Without Pain', { kind: 'course', lessons: 12, done: 0 }],
  ['Grid Notes', { kind: 'license', devices: 3, file: null }],
]
const uuid = (n: number) => `0198b2de-0000-7000-8000-${String(n).padStart(12, '0')}`
const AT = '2026-11-18T14:01:00Z'
/** The answer of the server for an order with a bundle of four things and six more. */
export const TEN_THINGS = {
  ...{ id: uuid(1), status: 'completed', source: 'cart', total: '163.50', credit: '0.00', earned: '0.00' },
  ...{ discounts: [], refunds: [], dispute: null, expiresAt: null, createdAt: AT, paymentMethod: 'paypal' },
  paymentId: '9K2M41XD',
  events: [
    { status: 'pending', code: 'placed', at: AT },
    { status: 'completed', code: 'paid', at: AT },
  ],
  lines: TEN.map(([title, delivery, bundle], i) => ({
    ...{ id: uuid(10 + i), productId: uuid(30 + i), title, quantity: 1, price: '16.35', isFree: false, given: 0 },
    ...{ categoryId: 'ebooks', imageUrl: null, isToGive: false, refunded: 0, isReviewed: false, refundRequest: null },
    bundle: bundle ? { id: uuid(50), title: bundle } : null,
    delivery,
  })),
}
