import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openShopForTests } from '../../test/shop.ts'
import { isForStaff, type Line } from '../kit/contract.ts'
import { accessOf, lineOf } from '../kit/handle.server.ts'

// The actions that need a proof of identity from the last ten minutes (decision 0011).

const open = openShopForTests()

const SIGN_IN = 'changes who can sign in'
const SESSIONS = 'ends sessions'
const DATA = 'moves or deletes the data of an account'
const SECRET = 'returns a secret, or sends data to another server'
const GOODS = 'returns a code, a key or a link to goods'
const MONEY = 'moves money, or decides where it goes'
const SHOP = 'changes what the shop sells or accepts'
const VIEW = 'shows the shop as a member'

const ALWAYS: Record<Line, string> = {
  'DELETE /api/account/passkeys/:id': SIGN_IN,
  'DELETE /api/account/second-factor': SIGN_IN,
  'DELETE /api/account/sessions': SESSIONS,
  'DELETE /api/account/sessions/:id': SESSIONS,
  'DELETE /api/admin/members/:id/sessions': SESSIONS,
  'DELETE /api/admin/risk/blocks/:id': MONEY,
  'DELETE /api/admin/sellers/:id/suspension': MONEY,
  'GET /api/admin/payouts/batches/:id/file.csv': MONEY,
  'GET /api/admin/payouts/batches/:id/file.xml': MONEY,
  'POST /api/account/deletion': DATA,
  'POST /api/account/email': SIGN_IN,
  'POST /api/account/export': DATA,
  'POST /api/account/passkeys': SIGN_IN,
  'POST /api/account/passkeys/options': SIGN_IN,
  'POST /api/account/password': SIGN_IN,
  'POST /api/account/second-factor': SIGN_IN,
  'POST /api/account/second-factor/confirm': SIGN_IN,
  'POST /api/account/second-factor/recovery': SIGN_IN,
  'POST /api/account/webhooks': SECRET,
  'POST /api/account/webhooks/:id/secret': SECRET,
  'POST /api/admin/code-cases/:id': MONEY,
  'POST /api/admin/code-cases/:id/reveal': GOODS,
  'POST /api/admin/disputes/:id/evidence': MONEY,
  'POST /api/admin/disputes/:id/reply': MONEY,
  'POST /api/admin/disputes/:id/settle': MONEY,
  'POST /api/admin/members/:id/view': VIEW,
  'POST /api/admin/orders/:id/refunds': MONEY,
  'POST /api/admin/payouts/batches': MONEY,
  'POST /api/admin/refunds/:id/decision': MONEY,
  'POST /api/admin/refunds/:id/reclaim': MONEY,
  'POST /api/admin/refunds/:id/settle': MONEY,
  'POST /api/admin/risk/cases/:orderId/approve': MONEY,
  'POST /api/admin/risk/cases/:orderId/refuse': MONEY,
  'POST /api/admin/sellers/:id/suspension': MONEY,
  'POST /api/admin/transfers/:id/sent': MONEY,
  'POST /api/admin/transfers/:id/settle': MONEY,
  'POST /api/admin/transfers/:id/write-off': MONEY,
  'POST /api/gifts/:id/link': GOODS,
  'POST /api/orders/:id/confirm': MONEY,
  'POST /api/orders/:id/lines/:lineId/license/reveal': GOODS,
  'POST /api/orders/:id/lines/:lineId/reveal': GOODS,
  'POST /api/orders/:id/refunds': MONEY,
  'POST /api/payments/methods': MONEY,
  'POST /api/payouts': MONEY,
  'POST /api/products/:id/licenses/tokens': SECRET,
  'POST /api/selling/code-cases/:id/reveal': GOODS,
  'POST /api/selling/sales/:id/refunds': MONEY,
  'PUT /api/account/password': SIGN_IN,
  'PUT /api/account/webhooks/:id': SECRET,
  'PUT /api/admin/payouts/mark': MONEY,
  'PUT /api/admin/products/:id/supply': SHOP,
  'PUT /api/admin/risk/weights': SHOP,
  'PUT /api/payments/transfers/:orderId/refund-address': MONEY,
  'PUT /api/payouts/details': MONEY,
}

/** Routes that need a proof only for some objects, with the condition. Each has a test next to its code. */
const SOMETIMES: Record<Line, string> = {
  'GET /api/learn/:id/lessons': 'goods as good as cash',
  'GET /api/learn/:id/lessons/:lessonId': 'goods as good as cash',
  'POST /api/orders': 'saved money above a limit (checkout/proof.test.ts)',
  'POST /api/orders/:id/lines/:lineId/download': 'goods as good as cash (checkout/proof.test.ts)',
  'POST /api/orders/:id/lines/:lineId/gifts': 'codes, keys and goods as good as cash (aftersale/gifts/gifts.test.ts)',
  'POST /api/orders/:id/lines/:lineId/license/devices/:deviceId/file': 'goods as good as cash',
  'POST /api/read/:id/files/:fileId': 'goods as good as cash',
  'POST /order': 'saved money above a limit (checkout/proof.test.ts)',
  'POST /order/:id/capture': 'saved money above a limit (checkout/proof.test.ts)',
  'PUT /api/learn/:id/lessons/:lessonId/done': 'goods as good as cash',
  'PUT /api/products/:id/files': 'staff change the files of a seller (catalogue/catalogue.server.test.ts)',
}

/**
 * Names of actions that usually need a proof. A call with such a name needs an entry above, or in `HARMLESS` with the
 * reason. The same applies to every raw route, because its name does not show which file it opens.
 */
const IS_SENSITIVE =
  /reveal|secret|token|payout|refund|transfer|webhook|suspension|gift|license|passkey|password|factor|email|export|deletion|wallet|methods/
const HARMLESS: Record<Line, string> = {
  'DELETE /api/account/webhooks/:id': 'stops sending data',
  'DELETE /api/admin/disputes/:id/files/:fileId': 'the answer, which needs a proof, sends the files that are left',
  'DELETE /api/gifts/:id': 'returns the goods to their buyer',
  'DELETE /api/orders/:id/lines/:lineId/license/devices/:deviceId': 'reveals no key',
  'DELETE /api/products/:id/licenses/tokens/:tokenId': 'ends a secret',
  'DELETE /api/wallets/:id': 'ends a way to pay',
  'DELETE /companion/s3/multipart/:uploadId': 'cancels an upload of the caller',
  'GET /api/account/balance/statement.csv': 'returns what the balance page shows',
  'GET /api/account/balance/statement.pdf': 'returns what the balance page shows',
  'GET /api/account/export': 'needs the signature of POST /api/account/export',
  'GET /api/account/products.csv': 'returns what the product pages show',
  'GET /api/account/sales.csv': 'returns what the sales page shows',
  'GET /api/admin/disputes/:id/files/:fileId': 'returns evidence to the staff who answer',
  'GET /api/chat/answers/:id': 'returns an answer of the chat',
  'GET /api/events': 'reports only that something changed',
  'GET /api/learn/:id/certificate': 'returns a certificate, no goods',
  'GET /api/orders/:id/invoices/:invoiceId/file': 'returns what the order page shows',
  'GET /api/products/:id/course/files/:fileId': 'returns a file of the caller’s own course',
  'GET /api/selling/customers.csv': 'returns what the page of customers shows',
  'GET /companion/s3/params': 'signs an upload of the caller',
  'GET /companion/s3/sts': 'refuses every call',
  'GET /dispute-files/:id': 'returns an upload of the caller',
  'GET /downloads/:id': 'needs the signature of POST /api/orders/:id/lines/:lineId/download',
  'GET /objects/:id': 'returns an upload of the caller',
  'POST /api/account/products/imports': 'adds drafts of products',
  'POST /api/account/webhook-messages/:id/replay': 'sends to the address that a proof confirmed',
  'POST /api/account/webhook-messages/replay': 'sends to the addresses that a proof confirmed',
  'POST /api/account/webhooks/:id/test': 'sends to the address that a proof confirmed',
  'POST /api/admin/disputes/:id/files': 'the answer, which needs a proof, sends the file',
  'POST /api/admin/orders/:id/refund-requests/decline': 'moves no money',
  'POST /api/admin/risk/blocks': 'stops money',
  'POST /api/gifts/claim': 'adds goods to the account, which open behind their own proof',
  'POST /api/objects/url/get': 'reads a public file into an upload of the caller',
  'POST /api/orders/:id/lines/:lineId/license/devices': 'needs the fingerprint of a device and reveals no key',
  'POST /api/payments/methods/added': 'completes a change that a proof allowed',
  'POST /api/payments/usdc/check': 'only reads the chain',
  'POST /api/payments/webhooks/test': 'asks the provider for a test event',
  'POST /api/products/:id/codes': 'adds codes and returns none',
  'POST /api/products/:id/licenses/:licenseId/extend': 'reveals no key',
  'POST /api/products/:id/licenses/:licenseId/restore': 'reveals no key',
  'POST /api/products/:id/licenses/:licenseId/revoke': 'reveals no key',
  'POST /api/products/:id/licenses/search': 'shows masked keys',
  'POST /api/view/end': 'ends a right of staff',
  'POST /companion/s3/multipart/:uploadId/complete': 'completes an upload of the caller',
  'PUT /api/account/passkeys/:id': 'changes a name',
  'PUT /api/orders/:id/refund-request': 'asks staff, who decide',
  'PUT /api/payments/methods/choice': 'chooses among saved methods',
  'PUT /api/payouts/schedule': 'pays to the details that a proof confirmed',
  'PUT /api/products/:id/licenses': 'changes terms of later sales',
}

const SOME_ID = '0190b3c2-7f58-7cc3-98c4-dc0c0c07398f'
const send = (line: Line, cookie: string) => {
  const [method, path] = line.replace(/:\w+/g, SOME_ID).split(' ') as [string, string]
  return fetch(open.shop.url + path, { method, headers: { cookie }, redirect: 'manual' })
}

test('rejects a session without a fresh proof on exactly the routes of the table', async () => {
  const [member, staff] = [await open.shop.join(), await open.shop.join({ isAdmin: true })]
  await open.shop.database.pool.query(`UPDATE sessions SET verified_at = now() - interval '11 minutes'`)
  const asked: string[] = []
  for (const route of open.shop.routes) {
    const access = accessOf(route)
    if (access === 'public') continue
    const response = await send(lineOf(route), (isForStaff(access) ? staff : member).cookie)
    const isAsked = response.status === 403 && (await response.text()).includes('step_up_required')
    if (response.status !== 403) await response.body?.cancel()
    if (isAsked) asked.push(lineOf(route))
  }
  expect(asked.toSorted()).toEqual(Object.keys(ALWAYS).toSorted())
  await open.shop.database.pool.query(`UPDATE sessions SET verified_at = now() - interval '31 minutes'`)
  for (const route of open.shop.routes)
    if (isForStaff(accessOf(route)))
      expect([lineOf(route), await (await send(lineOf(route), staff.cookie)).text()]).toEqual([
        lineOf(route),
        expect.stringContaining('step_up_required'),
      ])
})

test('every sensitive route is classified in a step-up table', () => {
  const closed = open.shop.routes.filter((route) => !['public', 'token'].includes(accessOf(route)))
  const sensitive = closed.filter((route) => {
    const line = lineOf(route)
    if (route.kind === 'raw') return true
    return !line.startsWith('GET ') && (accessOf(route) === 'finance' || IS_SENSITIVE.test(line))
  })
  const tables = { ...ALWAYS, ...SOMETIMES, ...HARMLESS }
  expect(sensitive.map(lineOf).filter((line) => !(line in tables))).toEqual([])
  const lines = new Set(open.shop.routes.map(lineOf))
  expect(Object.keys(tables).filter((line) => !lines.has(line as Line))).toEqual([])
})

/** The files that require a proof from some callers only. Their routes are in SOMETIMES. */
const ASKING = [
  'src/aftersale/gifts/gifts.server.ts',
  'src/catalogue/files.server.ts',
  'src/checkout/checkout.server.ts',
  'src/checkout/start/start.server.ts',
  'src/delivery/courses/learning.server.ts',
  'src/delivery/files/downloads.server.ts',
  'src/delivery/licenses/ownedLicense.server.ts',
  'src/delivery/reading/reading.server.ts',
]

test('only the listed files require a proof from some callers', () => {
  const files = globSync('src/**/*.{server,module}.ts').filter((file) => !/^src\/kit\/serve\//.test(file))
  const asking = files.filter((file) => /\b(isProven|askProven)\(\)/.test(readFileSync(file, 'utf8')))
  expect(asking.toSorted()).toEqual(ASKING)
})
