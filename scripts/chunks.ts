// Groups shared modules into chunks. Without it, pages would load a hundred small files.

export type Chunk = {
  name: string
  /** A module belongs to the chunk if its path contains one of these. */
  paths: string[]
  /** Modules that only dialogs or single pages need. In the chunk, they would make every page larger. */
  except?: string[]
  /** A shared module with fewer importers than this stays in a separate file. */
  minShareCount?: number
}

/** Small modules that nearly every page uses. They load with the first page. */
export const FIRST: Chunk = {
  name: 'shop',
  paths: [
    ...['src/ui/Badge', 'src/ui/Ticket', 'src/ui/Note', 'src/ui/Problem', 'src/ui/Pair'],
    ...['src/ui/form/Field', 'src/ui/form/Segment', 'src/ui/form/Switch'],
    ...['src/localisation/usd.rules', 'src/localisation/plural.rules'],
    ...['src/kit/query/useList', 'src/kit/query/useLive', 'src/kit/query/useAlways'],
    'viewing/staffView',
    ...['query-core/build/modern/mutationObserver', 'react-query/build/modern/useMutation.'],
  ],
}

const TOGETHER = {
  seller: ['/SellerTabs', '/selling.contract', '/csv.contract', '/customers.contract', '/sales.contract', '/SaleBadge'],
  order: ['purchases/order.rules', 'localisation/sentence.rules'],
  goods: ['delivery/refusal.rules', 'files/files.contract', 'files/useDownload'],
  case: ['delivery/cases/case.texts', 'delivery/cases/cases.contract'],
  reports: ['moderation/moderation.contract', 'moderation/useCases', 'moderation/reasons.rules'],
  course: [
    'courses/frame/',
    'courses/LessonList',
    'courses/LessonContent',
    'outline.contract',
    'courses/progress.rules',
    'ownCourse.rules',
  ],
  discount: ['discounts/discount.contract', 'discounts/discount.rules'],
  currencies: ['localisation/followCurrency.client', 'localisation/currencies.rules'],
  notes: ['support/inbox/Notes', 'inbox/team.contract'],
  uploads: ['uploads/terms.client', 'uploads/uploader.rules'],
  verb: ['reading/verb.rules', 'goods/act.rules'],
  saved: ['wishlist/useWishlist', 'wishlist/wishlist.', 'follows/useFollows', 'follows/follows.contract'],
  adding: ['add-product/draft.client', 'add-product/unfinished.contract'],
  gift: ['gifts/gifts.contract', 'gifts/gift.texts.rules'],
  usdc: ['usdc/pay.rules', 'usdc/transfers.contract'],
  reviews: ['reviews/ReviewList', 'reviews/ReviewItem'],
  credit: ['payments/credit.rules', 'payments/useCredit', 'payments/wallets.contract'],
}

/** Modules that pages share and that load after the first page. */
export const SHARED: Chunk[] = [
  {
    // The library for forms loads with the first form, never with a page.
    name: 'forms',
    minShareCount: 2,
    paths: ['react-hook-form/', 'src/ui/form/useSavedForm', 'src/ui/form/savedForm'],
  },
  {
    // Readers, players, courses and previews share one script, because the first load lists every script.
    name: 'opened',
    minShareCount: 2,
    paths: [
      ...['src/delivery/reading/', 'src/delivery/courses/', 'src/catalogue/previews/'],
      ...['src/catalogue/Markdown', 'src/catalogue/markdown'],
    ],
    except: [
      ...['/pdf', '/epub', '/turning/', '/look/', 'ReaderContents', 'FaultState', '/fault', 'openFile', '.rules.'],
      ...['reading.contract', 'courses/frame/', 'courses/LessonList', 'courses/LessonContent', 'outline.contract'],
    ],
  },
  // Small modules that pages use together are one script, for the same reason.
  ...Object.entries(TOGETHER).map(([name, paths]) => ({ name, paths, minShareCount: 2 })),
  { name: 'icons', minShareCount: 3, paths: ['lucide-react/'] },
  {
    name: 'pages',
    minShareCount: 10,
    paths: [
      ...['src/kit/', 'src/ui/', 'src/localisation/', 'src/catalogue/', 'src/cart/', 'src/orders/', 'src/payments/'],
    ],
    // These modules need a library and load when a dialog or toast opens.
    except: ['Dialog', 'Toasts'],
  },
]

export const isIn = ({ paths, except = [] }: Chunk, id: string): boolean =>
  paths.some((path) => id.includes(path)) && !except.some((path) => id.includes(path))
