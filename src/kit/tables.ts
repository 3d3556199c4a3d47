// Made by `npm run tables` from the live schema. Do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export type Timestamp = ColumnType<Date, Date | string, Date | string>
export type GeneratedTimestamp = ColumnType<Date, Date | string | undefined, Date | string>

export type AccountsTable = {
  id: Generated<string>
  accountId: string
  providerId: string
  userId: string
  password: string | null
  createdAt: GeneratedTimestamp
  updatedAt: GeneratedTimestamp
}

export type AuditTable = {
  id: GeneratedAlways<number>
  actorId: string | null
  act: string
  subjectId: string | null
  details: Generated<unknown>
  createdAt: GeneratedTimestamp
}

export type BackupsTable = {
  id: Generated<string>
  madeAt: GeneratedTimestamp
  sizeBytes: number
  store: Generated<string>
  name: string | null
  sha256: string | null
}

export type BundlePartsTable = {
  bundleId: string
  productId: string
  position: number
}

export type CartDiscountsTable = {
  userId: string
  sellerId: string
  discountId: string
}

export type CartItemsTable = {
  id: Generated<string>
  userId: string
  productId: string
  quantity: number
  createdAt: GeneratedTimestamp
  priceCents: number | null
  isChosen: Generated<boolean>
}

export type CategoriesTable = {
  id: string
  name: string
  position: number
  sellsPrograms: Generated<boolean>
  icon: Generated<string>
  isCash: Generated<boolean>
  earnsBonus: Generated<boolean>
  delivery: Generated<'file' | 'code' | 'license' | 'course'>
}

export type ChatAnswersTable = {
  questionId: string
  userId: string
  state: Generated<'working' | 'done' | 'stopped' | 'failed'>
  startedAt: GeneratedTimestamp
  answerId: string | null
  intent: string | null
  confidence: number | null
  tools: Generated<string[]>
  sources: Generated<string[]>
  frame: unknown | null
  model: string | null
  dropped: Generated<number>
  firstMs: number | null
  tookMs: number | null
  costMicrodollars: Generated<number>
  rating: number | null
  reason: string | null
  reviewedAt: Timestamp | null
  reviewedBy: string | null
}

export type ChatConversationsTable = {
  userId: string
  lastAt: Timestamp
  waitingSince: Timestamp | null
  readAt: GeneratedTimestamp
  customerReadAt: GeneratedTimestamp
  mode: Generated<'assistant' | 'person'>
  assigneeId: string | null
  snoozedUntil: Timestamp | null
  tags: Generated<string[]>
  settledAt: Timestamp | null
  score: number | null
}

export type ChatLessonsTable = {
  id: Generated<string>
  question: string
  slug: string | null
  answer: string | null
  staffId: string | null
  createdAt: GeneratedTimestamp
  messageId: string | null
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
  products: Generated<string[]>
  orders: Generated<string[]>
  isUnsure: Generated<boolean>
  offersPerson: Generated<boolean>
  isStopped: Generated<boolean>
  via: Generated<'chat' | 'mail'>
}

export type ChatNotesTable = {
  id: Generated<string>
  userId: string
  staffId: string | null
  note: string
  createdAt: GeneratedTimestamp
  otherId: string | null
}

export type ChatPresenceTable = {
  staffId: string
  seenAt: GeneratedTimestamp
}

export type ChatRepliesTable = {
  id: Generated<string>
  title: string
  body: string
  createdAt: GeneratedTimestamp
}

export type ChatSettlementsTable = {
  id: GeneratedAlways<number>
  userId: string
  staffId: string | null
  settledAt: GeneratedTimestamp
  score: number | null
}

export type ChatWaitsTable = {
  id: GeneratedAlways<number>
  userId: string
  staffId: string | null
  since: Timestamp
  until: GeneratedTimestamp
}

export type CodeCasesTable = {
  id: Generated<string>
  codeId: string
  orderLineId: string
  userId: string
  sellerId: string
  reason: 'invalid' | 'used' | 'amount' | 'expired' | 'other'
  note: Generated<string>
  state: Generated<'seller' | 'staff' | 'refunding' | 'replaced' | 'refunded' | 'rejected' | 'over'>
  answerBy: Timestamp
  sellerWords: Generated<string>
  words: Generated<string>
  decidedBy: string | null
  replacementId: string | null
  createdAt: GeneratedTimestamp
  decidedAt: Timestamp | null
  refundId: string | null
}

export type CodeListsTable = {
  userId: string
  day: string
  lines: number
  ofOthers: number
}

export type CodesTable = {
  id: Generated<string>
  productId: string
  ciphertext: Buffer
  fingerprint: string
  state: Generated<'free' | 'held' | 'sold' | 'void' | 'expired'>
  paymentId: string | null
  orderLineId: string | null
  createdAt: GeneratedTimestamp
  updatedAt: GeneratedTimestamp
  position: GeneratedAlways<number>
  expiresAt: Timestamp | null
  usedAt: Timestamp | null
  giftId: string | null
  seenAt: Timestamp | null
  sealedParts: Buffer | null
}

export type CourseCertificatesTable = {
  number: string
  orderLineId: string
  userId: string
  name: string | null
  title: string
  seller: string
  lessons: number
  completedAt: GeneratedTimestamp
}

export type CoursePartsTable = {
  id: Generated<string>
  productId: string
  isSection: boolean
  position: number
  title: string
  text: Generated<string>
  opensOn: string | null
  opensAfterDays: number | null
  isPreview: Generated<boolean>
  version: Generated<number>
  createdAt: GeneratedTimestamp
  deletedAt: Timestamp | null
}

export type CreditAccountsTable = {
  userId: string
  balanceCents: number
  updatedAt: GeneratedTimestamp
}

export type CreditBonusesTable = {
  userId: string
  orderId: string
  payer: string | null
  amountCents: number
  takenBackCents: Generated<number>
  createdAt: GeneratedTimestamp
}

export type CreditEntriesTable = {
  id: GeneratedAlways<number>
  userId: string
  kind: 'earned' | 'spent' | 'returned' | 'refunded' | 'taken_back' | 'given' | 'bounced' | 'reclaimed'
  amountCents: number
  orderId: string | null
  why: string | null
  createdAt: GeneratedTimestamp
}

export type CustomerNotesTable = {
  sellerId: string
  userId: string
  note: string
  updatedAt: GeneratedTimestamp
}

export type DeliveryEventsTable = {
  id: GeneratedAlways<number>
  entitlementId: string
  userId: string
  kind: 'download' | 'reveal' | 'read' | 'copy' | 'activate' | 'deactivate'
  ipAddress: string | null
  createdAt: GeneratedTimestamp
}

export type DiscountProductsTable = {
  discountId: string
  productId: string
}

export type DiscountUsesTable = {
  orderId: string
  discountId: string
  userId: string
  code: string
  amountCents: number
  paidCents: number
  createdAt: GeneratedTimestamp
  returnedAt: Timestamp | null
}

export type DiscountsTable = {
  id: Generated<string>
  sellerId: string
  code: string
  percent: number | null
  amountCents: number | null
  isForAll: boolean
  isFirstOnly: boolean
  startsAt: Timestamp | null
  endsAt: Timestamp | null
  mostUses: number | null
  mostPerBuyer: number | null
  pausedAt: Timestamp | null
  uses: Generated<number>
  createdAt: GeneratedTimestamp
  version: Generated<number>
}

export type DisputeFactsTable = {
  id: Generated<string>
  disputeId: string
  sellerId: string
  body: string
  deliveries: Generated<unknown>
  createdAt: GeneratedTimestamp
}

export type DisputeFilesTable = {
  id: Generated<string>
  disputeId: string
  userId: string
  objectId: string
  shows: 'messages' | 'use' | 'other'
  fileName: string
  contentType: string
  sizeBytes: number
  sha256: string
  createdAt: GeneratedTimestamp
}

export type DisputesTable = {
  id: Generated<string>
  paymentId: string
  orderId: string
  userId: string
  provider: string
  providerDisputeId: string
  state: 'needs_evidence' | 'under_review' | 'won' | 'lost'
  amountCents: number
  heldCents: Generated<number>
  reason: string
  evidenceDueAt: Timestamp | null
  openedAt: Timestamp
  createdAt: GeneratedTimestamp
  lookedAt: GeneratedTimestamp
  endedAt: Timestamp | null
  refundId: string | null
  evidenceId: string | null
  evidenceNote: string | null
  evidenceBy: string | null
  evidenceSentAt: Timestamp | null
  evidenceRefusal: string | null
  missingSince: Timestamp | null
  settledBy: string | null
  stage: Generated<'warning' | 'inquiry' | 'claim'>
  lostCents: number | null
}

export type DownloadGrantsTable = {
  id: Generated<string>
  entitlementId: string
  createdAt: GeneratedTimestamp
  startBy: Timestamp
  expiresAt: Timestamp
  startedAt: Timestamp | null
  fileId: string | null
  isZip: Generated<boolean>
}

export type EarningReturnsTable = {
  id: GeneratedAlways<number>
  sellerId: string
  orderId: string
  grossCents: number
  feeCents: number
  returnedAt: GeneratedTimestamp
  orderLineIds: string[] | null
}

export type EarningsTable = {
  orderLineId: string
  orderId: string
  sellerId: string
  grossCents: number
  feeCents: Generated<number>
  returnedCents: Generated<number>
  returnedFeeCents: Generated<number>
  earnedAt: GeneratedTimestamp
  availableAt: GeneratedTimestamp
  returnedQuantity: Generated<number>
  isDisputed: Generated<boolean>
}

export type EntitlementsTable = {
  id: Generated<string>
  orderLineId: string
  userId: string
  productId: string
  fileId: string | null
  createdAt: GeneratedTimestamp
  revokedAt: Timestamp | null
  archivedAt: Timestamp | null
  givenAt: Timestamp | null
  isGift: Generated<boolean>
}

export type ErrorDaysTable = {
  groupId: string
  day: Timestamp
  times: number
}

export type ErrorExplanationsTable = {
  groupId: string
  release: string
  text: string
  model: string
  askedAt: GeneratedTimestamp
}

export type ErrorGroupsTable = {
  id: Generated<string>
  fingerprint: string
  type: 'javascript' | 'network' | 'performance'
  severity: 'low' | 'medium' | 'high' | 'critical'
  message: string
  place: Generated<string>
  status: Generated<'open' | 'muted' | 'fixed'>
  fixedIn: string | null
  isReopened: Generated<boolean>
  firstSeenAt: GeneratedTimestamp
  lastSeenAt: GeneratedTimestamp
  firstRelease: string
  lastRelease: string
  times: Generated<number>
  people: Generated<number>
}

export type ErrorOccurrencesTable = {
  id: Generated<string>
  groupId: string
  seenAt: GeneratedTimestamp
  release: string
  route: string
  message: string
  stack: string
  componentStack: string
  userAgent: string
  autoFixed: boolean
}

export type ErrorPeopleTable = {
  groupId: string
  person: string
  lastSeenAt: GeneratedTimestamp
}

export type EventReplaysTable = {
  provider: string
  readUntil: Timestamp
}

export type ExchangeRatesTable = {
  base: string
  rates: unknown
  fetchedAt: GeneratedTimestamp
  readAt: Generated<unknown>
}

export type FollowsTable = {
  userId: string
  sellerId: string
  since: GeneratedTimestamp
  source: 'seller_page' | 'preferences'
  notifiedUntil: GeneratedTimestamp
  notifiedOn: string | null
  seenUntil: GeneratedTimestamp
}

export type FormerAddressesTable = {
  userId: string
  email: string
}

export type FormerLicenseTermsTable = {
  id: GeneratedAlways<number>
  productId: string
  prefix: string
  devicesPerSeat: number
  validDays: number | null
  endedAt: GeneratedTimestamp
}

export type GiftsTable = {
  id: Generated<string>
  orderLineId: string
  quantity: number
  state: Generated<'open' | 'claimed' | 'taken_back' | 'ended'>
  links: Generated<number>
  tokenHash: string
  toName: Generated<string>
  toEmail: string | null
  note: Generated<string>
  sendAt: Timestamp | null
  sentAt: Timestamp | null
  claimedBy: string | null
  claimedAt: Timestamp | null
  createdAt: GeneratedTimestamp
  giveKey: string | null
}

export type HookAttemptsTable = {
  id: GeneratedAlways<number>
  messageId: string
  at: GeneratedTimestamp
  status: number | null
  milliseconds: number
  answer: string
}

export type HookEndpointsTable = {
  id: Generated<string>
  userId: string
  isForShop: Generated<boolean>
  url: string
  events: string[]
  secret: Buffer
  formerSecret: Buffer | null
  formerUntil: Timestamp | null
  createdAt: GeneratedTimestamp
  lastSuccessAt: Timestamp | null
  failingSince: Timestamp | null
  disabledAt: Timestamp | null
  failures: Generated<number>
  pausedUntil: Timestamp | null
}

export type HookMessagesTable = {
  id: Generated<string>
  endpointId: string
  type: string
  body: string
  state: Generated<'waiting' | 'delivered' | 'failed'>
  attempts: Generated<number>
  nextAt: Timestamp | null
  createdAt: GeneratedTimestamp
}

export type ImportedProductsTable = {
  productId: string
  sellerId: string
  key: string
  importId: string | null
}

export type InvoiceDetailsTable = {
  userId: string
  company: Generated<string>
  address: Generated<string>
  vatId: Generated<string>
  isAttached: Generated<boolean>
  updatedAt: GeneratedTimestamp
}

export type InvoiceSeriesTable = {
  kind: 'invoice' | 'credit_note'
  year: number
  lastNumber: number
  lastAt: Timestamp
}

export type InvoicesTable = {
  id: Generated<string>
  kind: 'invoice' | 'credit_note'
  orderId: string
  year: number
  number: number
  label: string
  invoiceId: string | null
  refundId: string | null
  totalCents: number
  data: unknown
  issuedAt: Timestamp
}

export type JobWorkersTable = {
  workerId: string
  nodeLock: number
  createdAt: GeneratedTimestamp
}

export type KnownDevicesTable = {
  userId: string
  tokenHash: string
  seenAt: GeneratedTimestamp
}

export type LedgerBreachesTable = {
  id: Generated<string>
  rule: string
  scope: string
  subject: string
  violation: string
  foundAt: GeneratedTimestamp
  endedAt: Timestamp | null
  provider: string | null
  day: string | null
}

export type LedgerChecksTable = {
  id: Generated<boolean>
  part: Generated<number>
  eventId: Generated<number>
  eventIdBefore: Generated<number>
  entryId: Generated<number>
  entryIdBefore: Generated<number>
  checkedAt: Timestamp | null
  tookMs: number | null
}

export type LedgerEntriesTable = {
  id: GeneratedAlways<number>
  transferId: string
  account: string
  amountCents: number
  paymentId: string | null
  createdAt: GeneratedTimestamp
}

export type LessonFilesTable = {
  fileId: string
  lessonId: string
  createdAt: GeneratedTimestamp
  seconds: number | null
}

export type LessonProgressTable = {
  orderLineId: string
  userId: string
  lessonId: string
  openedAt: GeneratedTimestamp
  doneAt: Timestamp | null
}

export type LicenseDevicesTable = {
  id: Generated<string>
  licenseId: string
  fingerprintHash: Buffer
  name: string
  createdAt: GeneratedTimestamp
  seenAt: GeneratedTimestamp
  fileUntil: Timestamp | null
  removedAt: Timestamp | null
}

export type LicenseTermsTable = {
  productId: string
  prefix: string
  devicesPerSeat: number
  validDays: number | null
}

export type LicenseTokensTable = {
  id: Generated<string>
  productId: string
  tokenHash: Buffer
  ending: string
  createdAt: GeneratedTimestamp
  usedOn: string | null
}

export type LicensesTable = {
  id: Generated<string>
  orderLineId: string
  userId: string
  productId: string
  ciphertext: Buffer
  keyHash: Buffer
  prefix: string
  ending: string
  seats: number
  devicesPerSeat: number
  expiresAt: Timestamp | null
  revokedAt: Timestamp | null
  revokeReason: string | null
  createdAt: GeneratedTimestamp
}

export type ListedProductsTable = {
  categoryId: string
  count: number
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
  refusedAt: Timestamp | null
  unsubscribeUrl: string | null
  dueAt: GeneratedTimestamp
}

export type MessageBlocksTable = {
  blockerId: string
  blockedId: string
  createdAt: GeneratedTimestamp
}

export type MessageThreadsTable = {
  id: Generated<string>
  buyerId: string
  sellerId: string
  lastBuyerAt: GeneratedTimestamp
  lastSellerAt: GeneratedTimestamp
  buyerReadAt: GeneratedTimestamp
  sellerReadAt: GeneratedTimestamp
  endedAt: Timestamp | null
  createdAt: GeneratedTimestamp
}

export type MethodChoicesTable = {
  userId: string
  provider: string
  walletId: string | null
  chosenAt: GeneratedTimestamp
}

export type ModelDaysTable = {
  day: string
  usedFor: 'analyze' | 'explain'
  calls: number
  costMicrodollars: number
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
  kind: 'image' | 'file' | null
  color: string | null
  sizedAt: Timestamp | null
  announcedBytes: number | null
  malware: string | null
  checkingUntil: Timestamp | null
  refusedAs: unknown | null
  keptUntil: Timestamp | null
  keptFor: string | null
}

export type OrderEventsTable = {
  id: GeneratedAlways<number>
  orderId: string
  fromStatus: string | null
  toStatus: string
  reason: string
  createdAt: GeneratedTimestamp
  reasonCode:
    | 'placed'
    | 'paid'
    | 'free'
    | 'gift'
    | 'claimed'
    | 'canceled_by_buyer'
    | 'expired'
    | 'sold_out'
    | 'start_failed'
    | 'risk_refused'
    | 'risk_refused_paid'
    | 'declined'
    | 'refunded_at_provider'
    | 'amount_mismatch'
    | 'payment_unusable'
    | 'refunded'
    | 'other'
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
  delivery: 'file' | 'code' | 'license' | 'course'
  fileId: string | null
  discountCents: Generated<number>
  moreFileIds: Generated<string[]>
  bundleId: string | null
  bundleTitle: string | null
  giftId: string | null
}

export type OrdersTable = {
  id: Generated<string>
  userId: string
  checkoutKey: string
  requestHash: string
  status: Generated<'pending' | 'completed' | 'failed' | 'refunded'>
  source: 'cart' | 'product' | 'gift'
  totalCents: number
  currency: Generated<string>
  paymentMethod: string | null
  paymentId: string | null
  createdAt: GeneratedTimestamp
  updatedAt: GeneratedTimestamp
  expiresAt: Timestamp
  completedAt: Timestamp | null
  creditCents: Generated<number>
}

export type PartUploadsTable = {
  objectId: string
  uploadId: string
  sizeBytes: number
  fingerprint: string | null
  isExact: Generated<boolean>
}

export type PasskeysTable = {
  id: Generated<string>
  userId: string
  credentialId: string
  publicKey: Buffer
  counter: Generated<number>
  transports: Generated<string>
  name: string
  createdAt: GeneratedTimestamp
  lastUsedAt: Timestamp | null
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
  declinedCaptures: Generated<string[]>
  closedAt: Timestamp | null
  card: string | null
}

export type PayoutBatchesTable = {
  id: Generated<string>
  method: 'paypal' | 'bank'
  provider: string | null
  mode: 'sandbox' | 'live' | null
  state: Generated<'approved' | 'sent' | 'refused' | 'over'>
  providerBatchId: string | null
  approvedBy: string
  createdAt: GeneratedTimestamp
  firstSentAt: Timestamp | null
  leaseUntil: Timestamp | null
  lookedAt: Timestamp | null
  problem: string | null
  exportedAt: Timestamp | null
}

export type PayoutConfirmationsTable = {
  payoutId: string
  act: 'approved' | 'failed' | 'returned'
  staffId: string
  createdAt: GeneratedTimestamp
}

export type PayoutDetailsTable = {
  userId: string
  method: 'paypal' | 'bank'
  sealed: Buffer
  label: string
  changedAt: GeneratedTimestamp
  waitsUntil: Timestamp | null
  rejection: string | null
  schedule: Generated<'request' | 'monthly'>
  monthlyAt: GeneratedTimestamp
}

export type PayoutsTable = {
  id: Generated<string>
  sellerId: string
  amountCents: number
  state: Generated<'requested' | 'approved' | 'processing' | 'sent' | 'failed' | 'returned'>
  isScheduled: Generated<boolean>
  batchId: string | null
  method: 'paypal' | 'bank' | null
  label: string | null
  sealed: Buffer | null
  providerPayoutId: string | null
  reason: string | null
  cause: 'details' | 'shop' | null
  createdAt: GeneratedTimestamp
  approvedAt: Timestamp | null
  endedAt: Timestamp | null
}

export type PreferencesTable = {
  userId: string
  theme: 'royal-blue' | 'silver' | 'purple'
  mode: 'light' | 'dark'
  textSize: number
  canZoom: boolean
  updatedAt: GeneratedTimestamp
}

export type ProductCountsTable = {
  productId: string
  sellerId: string
  sales: Generated<number>
  views: Generated<number>
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
  isProgram: Generated<boolean>
  checkedAt: Timestamp | null
  note: string | null
  part: Generated<number>
  chapters: string | null
}

export type ProductImportRowsTable = {
  importId: string
  number: number
  state: 'ready' | 'known' | 'bad'
  key: string
  title: string
  description: string
  priceCents: number | null
  categoryId: string | null
  problem: string | null
  suggestedCents: number | null
  note: string | null
}

export type ProductImportsTable = {
  id: Generated<string>
  sellerId: string
  fileName: string
  format: 'primo' | 'gumroad' | 'shopify' | 'woocommerce'
  state: Generated<'reading' | 'preview' | 'running' | 'done' | 'failed' | 'undone'>
  columnsLeft: Generated<string[]>
  ready: Generated<number>
  known: Generated<number>
  bad: Generated<number>
  made: Generated<number>
  createdAt: GeneratedTimestamp
  noted: Generated<number>
}

export type ProductPairsTable = {
  productId: string
  otherId: string
  buyers: number
}

export type ProductPreviewsTable = {
  id: Generated<string>
  productId: string
  objectId: string
  kind: 'image' | 'audio' | 'video' | 'pdf' | 'epub'
  contentType: string
  sizeBytes: number
  alt: string
  position: number
  createdAt: GeneratedTimestamp
  shown: number | null
  whole: number | null
  cutFrom: string | null
}

export type ProductSumDaysTable = {
  sellerId: string
  day: string
}

export type ProductSumsTable = {
  sellerId: string
  days: number
  key: string
  sales: number
  grossCents: number
  views: number
}

export type ProductsTable = {
  id: Generated<string>
  sellerId: string
  categoryId: string
  title: string
  description: Generated<string>
  priceCents: number
  delivery: Generated<'file' | 'code' | 'license' | 'course' | 'bundle'>
  imageObjectId: string | null
  fileId: string | null
  isActive: Generated<boolean>
  featuredRank: number | null
  createdAt: GeneratedTimestamp
  updatedAt: GeneratedTimestamp
  deletedAt: Timestamp | null
  search: Generated<string>
  rated: Generated<number>
  withdrawnAt: Timestamp | null
  version: Generated<number>
  takenDown: string | null
  isSuspended: Generated<boolean>
  isOutOfStock: Generated<boolean>
  suggestedCents: number | null
  recentBuyers: Generated<number>
  moreFileIds: Generated<string[]>
  variantOf: string | null
  variantName: string | null
  variantPosition: number | null
  isParentOff: Generated<boolean>
  hasVariants: Generated<boolean>
  mostCents: number | null
  isListed: GeneratedAlways<boolean>
  isShown: GeneratedAlways<boolean>
  isOnSale: GeneratedAlways<boolean>
  codesTo: string | null
  stampsPdf: Generated<boolean>
}

export type ProviderFeesTable = {
  provider: string
  mode: string
  ref: string
  amountCents: number
  chargedAt: Timestamp
  transferId: string
}

export type PublicationsTable = {
  productId: string
  sellerId: string
  publishedAt: GeneratedTimestamp
}

export type PushSubscriptionsTable = {
  id: Generated<string>
  userId: string
  sessionId: string
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
  samples: Generated<number>
}

export type ReadingPlacesTable = {
  orderLineId: string
  userId: string
  fileId: string
  place: string
  share: number
  movedAt: Timestamp
}

export type ReconciledDaysTable = {
  provider: string
  day: string
  lookedAt: Timestamp | null
  comparedAt: Timestamp | null
  feesAt: Timestamp | null
}

export type RecoveryCodesTable = {
  userId: string
  codeHash: string
  createdAt: GeneratedTimestamp
}

export type RefundApprovalsTable = {
  id: Generated<string>
  orderId: string
  amountCents: number
  reason: string
  isCodeSeen: boolean
  askedBy: string | null
  createdAt: GeneratedTimestamp
  state: Generated<'waiting' | 'approved' | 'rejected'>
  decidedBy: string | null
  decidedAt: Timestamp | null
  refundId: string | null
  lines: unknown | null
}

export type RefundLinesTable = {
  refundId: string
  orderLineId: string
  quantity: number
  amountCents: number
}

export type RefundRequestsTable = {
  orderLineId: string
  orderId: string
  reason: 'damaged' | 'different' | 'mistake' | 'other'
  note: string
  state: Generated<'open' | 'granted' | 'declined'>
  answer: string | null
  createdAt: GeneratedTimestamp
  answeredAt: Timestamp | null
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
  askedBy: string | null
  askKey: string | null
  askHash: string | null
  refusal: string | null
  takenUpAt: Timestamp | null
  creditCents: Generated<number>
  isByBuyer: Generated<boolean>
  settledBy: string | null
  bouncedAt: Timestamp | null
  reclaimedAt: Timestamp | null
  reclaimedCents: Generated<number>
  isBySeller: Generated<boolean>
}

export type ReleasesTable = {
  name: string
  startedAt: GeneratedTimestamp
}

export type ReportCasesTable = {
  id: Generated<string>
  productId: string
  reviewId: string | null
  lastAt: GeneratedTimestamp
  isWaiting: Generated<boolean>
  decision: 'kept' | 'taken_down' | 'restored' | null
  decidedAt: Timestamp | null
  decidedBy: string | null
  answer: string | null
  answeredAt: Timestamp | null
  takenBy: string | null
  question: string | null
  answerBy: Timestamp | null
}

export type ReportsTable = {
  id: Generated<string>
  caseId: string
  userId: string
  productId: string
  reviewId: string | null
  reason: string
  note: string
  createdAt: GeneratedTimestamp
}

export type RestoreTestsTable = {
  id: Generated<string>
  testedAt: GeneratedTimestamp
  backup: string
  backupMadeAt: Timestamp | null
  isGood: boolean
  says: string
  seconds: number
}

export type ReviewAnswersTable = {
  reviewId: string
  body: string
  createdAt: GeneratedTimestamp
  editedAt: Timestamp | null
  takenDown: string | null
}

export type ReviewRequestsTable = {
  userId: string
  productId: string
  usedAt: Timestamp
  state: Generated<'waiting' | 'skipped' | 'asked' | 'dismissed'>
  askedAt: Timestamp | null
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
  takenDown: string | null
}

export type RiskBlocksTable = {
  id: Generated<string>
  kind: 'account' | 'network'
  subject: string
  reason: string
  madeBy: string | null
  createdAt: GeneratedTimestamp
  expiresAt: Timestamp
  liftedAt: Timestamp | null
  liftedBy: string | null
}

export type RiskDecisionsTable = {
  id: Generated<string>
  orderId: string
  userId: string
  stage: 'start' | 'paid'
  decision: 'allow' | 'step_up' | 'hold' | 'refuse'
  score: number
  reasons: unknown
  facts: unknown
  weightsVersion: number
  network: string | null
  instrument: string | null
  country: string | null
  rushProductId: string | null
  createdAt: GeneratedTimestamp
}

export type RiskDeclinesTable = {
  id: Generated<string>
  paymentId: string
  userId: string
  instrument: string | null
  createdAt: GeneratedTimestamp
}

export type RiskHintsTable = {
  id: Generated<string>
  userId: string
  eventId: string
  type: 'payment_fraud' | 'multiple_attempts' | 'suspicious_activity' | 'bot_detected' | 'unusual_location'
  severity: 'low' | 'medium' | 'high' | 'critical'
  description: string
  route: string
  userAgent: string
  timezone: string
  screen: string
  receivedAt: GeneratedTimestamp
}

export type RiskHoldsTable = {
  id: Generated<string>
  orderId: string
  userId: string
  kind: 'step_up' | 'hold'
  decisionId: string
  paymentId: string | null
  isClearedByConfirming: boolean
  state: Generated<'open' | 'released' | 'refused'>
  resolvedHow: 'confirmed' | 'approved' | 'refused' | 'expired' | null
  resolvedBy: string | null
  createdAt: GeneratedTimestamp
  endsAt: Timestamp
  resolvedAt: Timestamp | null
}

export type RiskWeightsTable = {
  version: number
  weights: unknown
  madeBy: string
  createdAt: GeneratedTimestamp
}

export type SalesDaysTable = {
  sellerId: string
  kind: 'all' | 'product' | 'country'
  day: string
  key: string
  orders: Generated<number>
  sales: Generated<number>
  refunds: Generated<number>
  grossCents: Generated<number>
  feeCents: Generated<number>
  returnedCents: Generated<number>
  views: Generated<number>
}

export type SavedProductsTable = {
  userId: string
  productId: string
  createdAt: GeneratedTimestamp
  removedAt: Timestamp | null
}

export type SearchFormsTable = {
  form: string
}

export type SearchWordsTable = {
  word: string
}

export type SecondFactorsTable = {
  userId: string
  sealedSecret: string
  confirmedAt: Timestamp | null
  lastStep: Generated<number>
  createdAt: GeneratedTimestamp
}

export type SeenReviewsTable = {
  productId: string
  seenAt: Timestamp
}

export type SellerDigestsTable = {
  userId: string
  day: string
  sales: Generated<number>
  soldCents: Generated<number>
  refunds: Generated<number>
  refundedCents: Generated<number>
  reviews: Generated<number>
  low: Generated<number>
}

export type SellerEventsTable = {
  id: GeneratedAlways<number>
  sellerId: string
  kind: 'sale' | 'refund' | 'review' | 'own'
  orderLineId: string
  day: string
  orders: Generated<number>
  sales: Generated<number>
  refunds: Generated<number>
  grossCents: Generated<number>
  feeCents: Generated<number>
  returnedCents: Generated<number>
}

export type SellerHandlesTable = {
  handle: string
  userId: string | null
  takenAt: GeneratedTimestamp
}

export type SellerWishesTable = {
  userId: string
  sales: 'each' | 'daily' | 'off'
  refunds: 'each' | 'daily' | 'off'
  reviews: 'each' | 'daily' | 'off'
  stock: 'each' | 'daily' | 'off'
  updatedAt: GeneratedTimestamp
}

export type SessionsTable = {
  id: Generated<string>
  userId: string
  tokenHash: string
  expiresAt: Timestamp
  ipAddress: string | null
  userAgent: string | null
  createdAt: GeneratedTimestamp
  updatedAt: GeneratedTimestamp
  verifiedAt: GeneratedTimestamp
  country: string | null
  staffUsedAt: Timestamp | null
  viewedId: string | null
  viewEndsAt: Timestamp | null
}

export type SharedLimitsTable = {
  key: string
  account: string | null
  fullAt: Timestamp
}

export type StockLimitsTable = {
  productId: string
  lowAt: number
}

export type StockWaitsTable = {
  productId: string
  userId: string
  createdAt: GeneratedTimestamp
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

export type StorefrontDesignsTable = {
  userId: string
  headerObjectId: string | null
  headerColor: string | null
  accentColor: string | null
  sections: Generated<string[]>
  featuredProductId: string | null
  updatedAt: GeneratedTimestamp
}

export type StorefrontLinksTable = {
  userId: string
  position: number
  label: string
  url: string
}

export type StorefrontsTable = {
  userId: string
  handle: string
  bio: Generated<string>
  openedAt: Timestamp | null
}

export type SuppliedProductsTable = {
  productId: string
  sku: string
  windowMinutes: number
  createdAt: GeneratedTimestamp
}

export type SupplyRequestsTable = {
  orderLineId: string
  paymentId: string
  productId: string
  sku: string
  quantity: number
  state: Generated<'waiting' | 'delivered' | 'ended'>
  endsAt: Timestamp
  tries: Generated<number>
  askedAt: Timestamp | null
  lastError: string | null
  createdAt: GeneratedTimestamp
}

export type SuspensionsTable = {
  id: Generated<string>
  sellerId: string
  reason: string
  madeBy: string
  createdAt: GeneratedTimestamp
  endsAt: Timestamp | null
  liftedAt: Timestamp | null
  liftedBy: string | null
}

export type ThreadMessagesTable = {
  id: string
  threadId: string
  authorId: string
  orderLineId: string
  body: string
  createdAt: GeneratedTimestamp
}

export type ThreadReportsTable = {
  id: Generated<string>
  threadId: string
  reporterId: string
  note: string
  messages: unknown
  createdAt: GeneratedTimestamp
  closedAt: Timestamp | null
  closedBy: string | null
}

export type TrustedBrowsersTable = {
  tokenHash: string
  userId: string
  expiresAt: Timestamp
  createdAt: GeneratedTimestamp
}

export type UnfinishedProductsTable = {
  id: string
  userId: string
  entered: unknown
  updatedAt: GeneratedTimestamp
}

export type UploadTurnsTable = {
  id: Generated<string>
  userId: string
  until: Timestamp
}

export type UsdcAddressesTable = {
  address: string
  derivationIndex: number
  paymentId: string | null
  chainId: number
  token: string
  units: number
  confirmations: number
  expiresAt: Timestamp
  closedAt: Timestamp | null
  acceptedAt: Timestamp | null
  isDue: Generated<boolean>
  hasTransfers: Generated<boolean>
  createdAt: GeneratedTimestamp
}

export type UsdcCursorsTable = {
  chainId: number
  token: string
  blockNumber: number
  version: Generated<number>
  scannedAt: Timestamp | null
  leaseUntil: Timestamp | null
  trouble: string | null
  troubleAt: Timestamp | null
  isAlarmed: Generated<boolean>
}

export type UsdcExceptionsTable = {
  id: Generated<string>
  paymentId: string
  refundId: string | null
  kind: 'underpaid' | 'overpaid' | 'late' | 'reorganised' | 'refund'
  amountCents: number
  state: Generated<'open' | 'sent' | 'done'>
  refundAddress: string | null
  txHash: string | null
  logIndex: number | null
  problem: string | null
  resolution: 'returned' | 'settled' | 'recovered' | 'written_off' | null
  createdAt: GeneratedTimestamp
  doneAt: Timestamp | null
  addressWaitsUntil: Timestamp | null
  formerAddresses: Generated<string[]>
}

export type UsdcTransfersTable = {
  id: GeneratedAlways<number>
  chainId: number
  txHash: string
  logIndex: number
  address: string
  sender: string
  units: number
  blockNumber: number
  blockHash: string
  blockAt: Timestamp
  seenAt: GeneratedTimestamp
  confirmedAt: Timestamp | null
  removedAt: Timestamp | null
}

export type UsersTable = {
  id: Generated<string>
  email: string
  emailVerified: Generated<boolean>
  name: Generated<string>
  firstName: string | null
  lastName: string | null
  image: string | null
  role: Generated<'member' | 'support' | 'finance' | 'admin'>
  createdAt: GeneratedTimestamp
  updatedAt: GeneratedTimestamp
  wantsNews: Generated<boolean>
  pictureObjectId: string | null
  eraseAt: Timestamp | null
  erasedAt: Timestamp | null
  keptAt: Timestamp | null
  mailRefusedAt: Timestamp | null
  mailRefusal: string | null
  wantsVersions: Generated<boolean>
  wantsReviewRequests: Generated<boolean>
  wantsReviewMails: Generated<boolean>
  wantsMessages: Generated<boolean>
  wantsFollows: Generated<boolean>
}

export type VerificationsTable = {
  id: Generated<string>
  identifier: string
  value: unknown
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
  revokedAt: Timestamp | null
  revocationAskedAt: Timestamp | null
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
  paymentId: string | null
  dueAt: GeneratedTimestamp
}

export type Tables = {
  accounts: AccountsTable
  audit: AuditTable
  backups: BackupsTable
  bundleParts: BundlePartsTable
  cartDiscounts: CartDiscountsTable
  cartItems: CartItemsTable
  categories: CategoriesTable
  chatAnswers: ChatAnswersTable
  chatConversations: ChatConversationsTable
  chatLessons: ChatLessonsTable
  chatMessages: ChatMessagesTable
  chatNotes: ChatNotesTable
  chatPresence: ChatPresenceTable
  chatReplies: ChatRepliesTable
  chatSettlements: ChatSettlementsTable
  chatWaits: ChatWaitsTable
  codeCases: CodeCasesTable
  codeLists: CodeListsTable
  codes: CodesTable
  courseCertificates: CourseCertificatesTable
  courseParts: CoursePartsTable
  creditAccounts: CreditAccountsTable
  creditBonuses: CreditBonusesTable
  creditEntries: CreditEntriesTable
  customerNotes: CustomerNotesTable
  deliveryEvents: DeliveryEventsTable
  discountProducts: DiscountProductsTable
  discountUses: DiscountUsesTable
  discounts: DiscountsTable
  disputeFacts: DisputeFactsTable
  disputeFiles: DisputeFilesTable
  disputes: DisputesTable
  downloadGrants: DownloadGrantsTable
  earningReturns: EarningReturnsTable
  earnings: EarningsTable
  entitlements: EntitlementsTable
  errorDays: ErrorDaysTable
  errorExplanations: ErrorExplanationsTable
  errorGroups: ErrorGroupsTable
  errorOccurrences: ErrorOccurrencesTable
  errorPeople: ErrorPeopleTable
  eventReplays: EventReplaysTable
  exchangeRates: ExchangeRatesTable
  follows: FollowsTable
  formerAddresses: FormerAddressesTable
  formerLicenseTerms: FormerLicenseTermsTable
  gifts: GiftsTable
  hookAttempts: HookAttemptsTable
  hookEndpoints: HookEndpointsTable
  hookMessages: HookMessagesTable
  importedProducts: ImportedProductsTable
  invoiceDetails: InvoiceDetailsTable
  invoiceSeries: InvoiceSeriesTable
  invoices: InvoicesTable
  jobWorkers: JobWorkersTable
  knownDevices: KnownDevicesTable
  ledgerBreaches: LedgerBreachesTable
  ledgerChecks: LedgerChecksTable
  ledgerEntries: LedgerEntriesTable
  lessonFiles: LessonFilesTable
  lessonProgress: LessonProgressTable
  licenseDevices: LicenseDevicesTable
  licenseTerms: LicenseTermsTable
  licenseTokens: LicenseTokensTable
  licenses: LicensesTable
  listedProducts: ListedProductsTable
  mails: MailsTable
  messageBlocks: MessageBlocksTable
  messageThreads: MessageThreadsTable
  methodChoices: MethodChoicesTable
  modelDays: ModelDaysTable
  objects: ObjectsTable
  orderEvents: OrderEventsTable
  orderLines: OrderLinesTable
  orders: OrdersTable
  partUploads: PartUploadsTable
  passkeys: PasskeysTable
  payments: PaymentsTable
  payoutBatches: PayoutBatchesTable
  payoutConfirmations: PayoutConfirmationsTable
  payoutDetails: PayoutDetailsTable
  payouts: PayoutsTable
  preferences: PreferencesTable
  productCounts: ProductCountsTable
  productFiles: ProductFilesTable
  productImportRows: ProductImportRowsTable
  productImports: ProductImportsTable
  productPairs: ProductPairsTable
  productPreviews: ProductPreviewsTable
  productSumDays: ProductSumDaysTable
  productSums: ProductSumsTable
  products: ProductsTable
  providerFees: ProviderFeesTable
  publications: PublicationsTable
  pushSubscriptions: PushSubscriptionsTable
  ratings: RatingsTable
  readingPlaces: ReadingPlacesTable
  reconciledDays: ReconciledDaysTable
  recoveryCodes: RecoveryCodesTable
  refundApprovals: RefundApprovalsTable
  refundLines: RefundLinesTable
  refundRequests: RefundRequestsTable
  refunds: RefundsTable
  releases: ReleasesTable
  reportCases: ReportCasesTable
  reports: ReportsTable
  restoreTests: RestoreTestsTable
  reviewAnswers: ReviewAnswersTable
  reviewRequests: ReviewRequestsTable
  reviews: ReviewsTable
  riskBlocks: RiskBlocksTable
  riskDecisions: RiskDecisionsTable
  riskDeclines: RiskDeclinesTable
  riskHints: RiskHintsTable
  riskHolds: RiskHoldsTable
  riskWeights: RiskWeightsTable
  salesDays: SalesDaysTable
  savedProducts: SavedProductsTable
  searchForms: SearchFormsTable
  searchWords: SearchWordsTable
  secondFactors: SecondFactorsTable
  seenReviews: SeenReviewsTable
  sellerDigests: SellerDigestsTable
  sellerEvents: SellerEventsTable
  sellerHandles: SellerHandlesTable
  sellerWishes: SellerWishesTable
  sessions: SessionsTable
  sharedLimits: SharedLimitsTable
  stockLimits: StockLimitsTable
  stockWaits: StockWaitsTable
  storeRating: StoreRatingTable
  storefrontDesigns: StorefrontDesignsTable
  storefrontLinks: StorefrontLinksTable
  storefronts: StorefrontsTable
  suppliedProducts: SuppliedProductsTable
  supplyRequests: SupplyRequestsTable
  suspensions: SuspensionsTable
  threadMessages: ThreadMessagesTable
  threadReports: ThreadReportsTable
  trustedBrowsers: TrustedBrowsersTable
  unfinishedProducts: UnfinishedProductsTable
  uploadTurns: UploadTurnsTable
  usdcAddresses: UsdcAddressesTable
  usdcCursors: UsdcCursorsTable
  usdcExceptions: UsdcExceptionsTable
  usdcTransfers: UsdcTransfersTable
  users: UsersTable
  verifications: VerificationsTable
  wallets: WalletsTable
  webhookEvents: WebhookEventsTable
}
