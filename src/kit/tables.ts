// Made by `npm run tables` from the live schema. Do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export type Timestamp = ColumnType<Date, Date | string, Date | string>
export type GeneratedTimestamp = ColumnType<Date, Date | string | undefined, Date | string>

export type AccountsTable = {
  id: Generated<string>
  accountId: string
  providerId: string
  userId: string
  accessToken: string | null
  refreshToken: string | null
  idToken: string | null
  accessTokenExpiresAt: Timestamp | null
  refreshTokenExpiresAt: Timestamp | null
  scope: string | null
  password: string | null
  createdAt: GeneratedTimestamp
  updatedAt: GeneratedTimestamp
}

export type CartItemsTable = {
  id: Generated<string>
  userId: string
  productId: string
  quantity: number
  createdAt: GeneratedTimestamp
}

export type CategoriesTable = {
  id: string
  name: string
  position: number
}

export type ChatConversationsTable = {
  userId: string
  lastAt: Timestamp
  waitingSince: Timestamp | null
  readAt: GeneratedTimestamp
}

export type ChatMessagesTable = {
  id: Generated<string>
  userId: string
  author: 'user' | 'admin' | 'assistant'
  staffId: string | null
  message: string
  articles: Generated<unknown>
  sendKey: Generated<string>
  createdAt: GeneratedTimestamp
}

export type ChatPresenceTable = {
  staffId: string
  seenAt: GeneratedTimestamp
}

export type CodesTable = {
  id: Generated<string>
  productId: string
  ciphertext: Buffer
  fingerprint: string
  state: Generated<'free' | 'held' | 'sold' | 'void'>
  paymentId: string | null
  orderLineId: string | null
  createdAt: GeneratedTimestamp
  updatedAt: GeneratedTimestamp
}

export type DeliveryEventsTable = {
  id: GeneratedAlways<number>
  entitlementId: string
  userId: string
  kind: 'download' | 'reveal'
  ipAddress: string | null
  createdAt: GeneratedTimestamp
}

export type DownloadGrantsTable = {
  id: Generated<string>
  entitlementId: string
  createdAt: GeneratedTimestamp
  startBy: Timestamp
  expiresAt: Timestamp
  startedAt: Timestamp | null
}

export type EntitlementsTable = {
  id: Generated<string>
  orderLineId: string
  userId: string
  productId: string
  fileId: string | null
  createdAt: GeneratedTimestamp
  revokedAt: Timestamp | null
}

export type ExchangeRatesTable = {
  base: string
  rates: unknown
  fetchedAt: GeneratedTimestamp
}

export type JobWorkersTable = {
  workerId: string
  nodeLock: number
  createdAt: GeneratedTimestamp
}

export type LedgerEntriesTable = {
  id: GeneratedAlways<number>
  transferId: string
  account: string
  amountCents: number
  paymentId: string
  createdAt: GeneratedTimestamp
}

export type MailsTable = {
  id: Generated<string>
  key: string
  recipient: string
  subject: string
  bodyText: string
  bodyHtml: string
  createdAt: GeneratedTimestamp
  sentAt: Timestamp | null
  error: string | null
}

export type ObjectsTable = {
  id: Generated<string>
  userId: string
  status: Generated<'issued' | 'stored' | 'bound'>
  sizeBytes: number | null
  sha256: string | null
  fileName: string | null
  contentType: string | null
  createdAt: GeneratedTimestamp
  expiresAt: Timestamp
  storedAt: Timestamp | null
}

export type OrderEventsTable = {
  id: GeneratedAlways<number>
  orderId: string
  fromStatus: string | null
  toStatus: string
  reason: string
  createdAt: GeneratedTimestamp
}

export type OrderLinesTable = {
  id: Generated<string>
  orderId: string
  position: number
  productId: string
  sellerId: string
  title: string
  priceCents: number
  quantity: number
  delivery: 'file' | 'code'
  fileId: string | null
}

export type OrdersTable = {
  id: Generated<string>
  userId: string
  checkoutKey: string
  requestHash: string
  status: Generated<'pending' | 'completed' | 'failed' | 'refunded'>
  source: 'cart' | 'product'
  totalCents: number
  currency: Generated<string>
  paymentMethod: string | null
  paymentId: string | null
  createdAt: GeneratedTimestamp
  updatedAt: GeneratedTimestamp
  expiresAt: Timestamp
  completedAt: Timestamp | null
}

export type PaymentsTable = {
  id: Generated<string>
  orderId: string
  provider: string
  mode: 'sandbox' | 'live'
  status: Generated<
    | 'creating'
    | 'created'
    | 'capturing'
    | 'captured'
    | 'declined'
    | 'canceled'
    | 'expired'
    | 'failed'
    | 'mismatched'
    | 'refunded'
    | 'part_refunded'
  >
  amountCents: number
  currency: Generated<string>
  providerOrderId: string | null
  providerCaptureId: string | null
  walletId: string | null
  leaseUntil: Timestamp | null
  declines: Generated<number>
  lastError: string | null
  createdAt: GeneratedTimestamp
  updatedAt: GeneratedTimestamp
}

export type PreferencesTable = {
  userId: string
  theme: 'royal-blue' | 'silver' | 'purple'
  mode: 'light' | 'dark'
  textSize: number
  canZoom: boolean
  updatedAt: GeneratedTimestamp
}

export type ProductFilesTable = {
  id: Generated<string>
  productId: string
  objectId: string
  fileName: string
  contentType: string
  sizeBytes: number
  sha256: string
  createdAt: GeneratedTimestamp
}

export type ProductsTable = {
  id: Generated<string>
  sellerId: string
  categoryId: string
  title: string
  description: Generated<string>
  priceCents: number
  delivery: Generated<'file' | 'code'>
  imageObjectId: string | null
  fileId: string | null
  isActive: Generated<boolean>
  featuredRank: number | null
  createdAt: GeneratedTimestamp
  updatedAt: GeneratedTimestamp
  deletedAt: Timestamp | null
  search: GeneratedAlways<string>
  isListed: GeneratedAlways<boolean>
}

export type PushSubscriptionsTable = {
  id: Generated<string>
  userId: string
  endpoint: string
  p256dh: string
  auth: string
  createdAt: GeneratedTimestamp
}

export type RatingsTable = {
  productId: string
  stars1: Generated<number>
  stars2: Generated<number>
  stars3: Generated<number>
  stars4: Generated<number>
  stars5: Generated<number>
}

export type RecoveryCodesTable = {
  userId: string
  codeHash: string
  createdAt: GeneratedTimestamp
}

export type RefundsTable = {
  id: Generated<string>
  paymentId: string
  status: Generated<'requested' | 'completed' | 'failed'>
  amountCents: number
  providerRefundId: string | null
  reason: string
  createdAt: GeneratedTimestamp
  updatedAt: GeneratedTimestamp
}

export type ReviewsTable = {
  id: Generated<string>
  productId: string
  orderLineId: string | null
  userId: string | null
  sampleAuthor: string | null
  stars: number
  body: Generated<string>
  createdAt: GeneratedTimestamp
  editedAt: Timestamp | null
  hiddenAt: Timestamp | null
}

export type SavedProductsTable = {
  userId: string
  productId: string
  createdAt: GeneratedTimestamp
  removedAt: Timestamp | null
}

export type SecondFactorsTable = {
  userId: string
  sealedSecret: string
  confirmedAt: Timestamp | null
  lastStep: Generated<number>
  createdAt: GeneratedTimestamp
}

export type SessionsTable = {
  id: Generated<string>
  userId: string
  token: string
  expiresAt: Timestamp
  ipAddress: string | null
  userAgent: string | null
  createdAt: GeneratedTimestamp
  updatedAt: GeneratedTimestamp
}

export type StoreRatingTable = {
  id: Generated<boolean>
  stars1: Generated<number>
  stars2: Generated<number>
  stars3: Generated<number>
  stars4: Generated<number>
  stars5: Generated<number>
  samples: Generated<number>
}

export type TrustedBrowsersTable = {
  tokenHash: string
  userId: string
  expiresAt: Timestamp
  createdAt: GeneratedTimestamp
}

export type UsersTable = {
  id: Generated<string>
  email: string
  emailVerified: Generated<boolean>
  name: Generated<string>
  firstName: string | null
  lastName: string | null
  image: string | null
  role: Generated<'member' | 'admin'>
  createdAt: GeneratedTimestamp
  updatedAt: GeneratedTimestamp
  wantsNews: Generated<boolean>
  pictureObjectId: string | null
}

export type VerificationsTable = {
  id: Generated<string>
  identifier: string
  value: string
  expiresAt: Timestamp
  createdAt: GeneratedTimestamp
  updatedAt: GeneratedTimestamp
}

export type WalletsTable = {
  id: Generated<string>
  userId: string
  provider: string
  mode: 'sandbox' | 'live'
  vaultId: string
  label: string
  createdAt: GeneratedTimestamp
  removedAt: Timestamp | null
}

export type WebhookEventsTable = {
  provider: string
  eventId: string
  eventType: string
  body: string
  receivedAt: GeneratedTimestamp
  timesReceived: Generated<number>
  processedAt: Timestamp | null
  error: string | null
}

export type Tables = {
  accounts: AccountsTable
  cartItems: CartItemsTable
  categories: CategoriesTable
  chatConversations: ChatConversationsTable
  chatMessages: ChatMessagesTable
  chatPresence: ChatPresenceTable
  codes: CodesTable
  deliveryEvents: DeliveryEventsTable
  downloadGrants: DownloadGrantsTable
  entitlements: EntitlementsTable
  exchangeRates: ExchangeRatesTable
  jobWorkers: JobWorkersTable
  ledgerEntries: LedgerEntriesTable
  mails: MailsTable
  objects: ObjectsTable
  orderEvents: OrderEventsTable
  orderLines: OrderLinesTable
  orders: OrdersTable
  payments: PaymentsTable
  preferences: PreferencesTable
  productFiles: ProductFilesTable
  products: ProductsTable
  pushSubscriptions: PushSubscriptionsTable
  ratings: RatingsTable
  recoveryCodes: RecoveryCodesTable
  refunds: RefundsTable
  reviews: ReviewsTable
  savedProducts: SavedProductsTable
  secondFactors: SecondFactorsTable
  sessions: SessionsTable
  storeRating: StoreRatingTable
  trustedBrowsers: TrustedBrowsersTable
  users: UsersTable
  verifications: VerificationsTable
  wallets: WalletsTable
  webhookEvents: WebhookEventsTable
}
