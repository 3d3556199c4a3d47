import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listMigrations } from '../kit/schema/migrate.server.ts'
import type { SETTINGS } from './settings.server.ts'

// Each table is deleted from, grows forever, or is bounded by members and products. Add each new table to one of these
// lists. docs/operating/growth.md lists the tables that grow.

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const words = (text: string) => text.split(/\s+/)

/** The file that deletes, or the table whose deletion cascades; and the setting for the days. */
const DELETED: Record<string, [by: string, setting?: keyof typeof SETTINGS]> = {
  mails: ['src/kit/mail/mail.server.ts', 'KEEP_MAILS_DAYS'],
  errorOccurrences: ['src/monitoring/errors/errors.store.server.ts', 'KEEP_ERRORS_DAYS'],
  errorDays: ['src/monitoring/errors/errors.store.server.ts', 'KEEP_ERRORS_DAYS'],
  errorPeople: ['src/monitoring/errors/errors.store.server.ts', 'KEEP_ERRORS_DAYS'],
  errorGroups: ['src/monitoring/errors/errors.store.server.ts', 'KEEP_ERRORS_DAYS'],
  errorExplanations: ['error_groups'],
  hookMessages: ['src/notifications/hooks/hooks.store.server.ts', 'KEEP_SENT_WEBHOOKS_DAYS'],
  hookAttempts: ['hook_messages'],
  webhookEvents: ['src/payments/webhooks.server.ts', 'KEEP_RECEIVED_WEBHOOKS_DAYS'],
  riskDecisions: ['src/risk/holds.server.ts', 'KEEP_RISK_DAYS'],
  riskHints: ['src/risk/hints.server.ts'],
  disputeFacts: ['src/aftersale/sellerDisputes/sellerDisputes.sql'],
  disputeFiles: ['src/aftersale/disputes/disputeFiles.sql'],
  productImports: ['src/selling/csv/imports.store.server.ts'],
  productImportRows: ['product_imports'],
  sessions: ['src/identity/sessions/session.store.server.ts'],
  trustedBrowsers: ['src/identity/sessions/session.store.server.ts'],
  verifications: ['src/identity/sessions/session.store.server.ts'],
  objects: ['src/uploads/sweep.server.ts'],
  partUploads: ['objects'],
  sellerEvents: ['src/selling/sales/rollup.sql'],
  sellerDigests: ['src/selling/news/news.server.ts'],
  sharedLimits: ['src/kit/serve/sharedLimit.server.ts'],
  threadReports: ['src/selling/messages/messages.sql'],
  uploadTurns: ['src/uploads/budget/budget.server.ts'],
  jobWorkers: ['src/kit/cluster/jobs.sql'],
}

const KEPT =
  words(`audit backups chatAnswers chatConversations chatMessages chatNotes chatSettlements chatWaits codeCases codeLists codes
  courseCertificates creditEntries deliveryEvents discountUses disputes downloadGrants earningReturns earnings entitlements gifts
  invoiceDetails invoices ledgerEntries licenses messageBlocks messageThreads orderEvents orderLines orders payments payoutBatches payoutConfirmations payouts providerFees reconciledDays
  refundApprovals refundLines refundRequests refunds reportCases reports restoreTests reviewAnswers reviewRequests reviews riskDeclines riskHolds salesDays
  supplyRequests threadMessages usdcAddresses usdcExceptions usdcTransfers`)

/** Tables with a bounded number of rows for each member, product or shop, regardless of sales. */
const BOUNDED =
  words(`accounts bundleParts cartDiscounts cartItems categories chatLessons chatPresence chatReplies courseParts unfinishedProducts
  creditAccounts creditBonuses customerNotes discountProducts discounts eventReplays exchangeRates formerAddresses formerLicenseTerms
  follows hookEndpoints importedProducts invoiceSeries knownDevices ledgerBreaches ledgerChecks lessonFiles lessonProgress licenseDevices
  licenseTerms licenseTokens listedProducts methodChoices modelDays passkeys payoutDetails preferences productCounts productFiles
  productPairs productPreviews productSumDays productSums products publications pushSubscriptions ratings readingPlaces recoveryCodes releases
  riskBlocks riskWeights savedProducts searchForms searchWords secondFactors seenReviews sellerHandles sellerWishes stockLimits stockWaits storeRating
  storefrontDesigns storefrontLinks storefronts suppliedProducts suspensions usdcCursors users wallets`)

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const migrations = listMigrations()
  .map((name) => read(`migrations/${name}`))
  .join('\n')

test('classifies each table by its growth', () => {
  const [, list] = /export type Tables = \{(.*?)\}/s.exec(read('src/kit/tables.ts'))!
  const tables = [...list!.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name!)
  expect([...Object.keys(DELETED), ...KEPT, ...BOUNDED].sort()).toEqual(tables.sort())
})

test.each(Object.entries(DELETED))('deletes rows from %s', (table, [by]) => {
  const name = snake(table)
  if (/\.(ts|sql)$/.test(by))
    expect(read(by)).toMatch(new RegExp(`(?:table: '|deleteFrom\\('|DELETE FROM )(?:${table}|${name})\\b`))
  else {
    const made = new RegExp(`CREATE TABLE ${name} \\((.*?)\\n\\);`, 's').exec(migrations)![1]
    expect(made).toMatch(new RegExp(`REFERENCES ${by} ON DELETE CASCADE`))
  }
})

test('growth.md lists each table that grows, and the setting of its retention', () => {
  const [text, kept] = read('docs/operating/growth.md').split('## Kept for good\n')
  const missingIn = (part: string, tables: string[]) => tables.filter((table) => !part.includes(`\`${snake(table)}\``))
  expect(missingIn(text!, Object.keys(DELETED))).toEqual([])
  expect(missingIn(kept!, KEPT)).toEqual([])
  const lines = text!.split('\n- ')
  const untold = Object.entries(DELETED).filter(
    ([table, [, setting]]) =>
      setting && !lines.some((line) => line.includes(`\`${snake(table)}\``) && line.includes(`\`${setting}\``)),
  )
  expect(untold).toEqual([])
})
