import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openShopForTests } from '../../test/shop.ts'
import { isForStaff } from '../kit/contract.ts'
import { accessOf, lineOf } from '../kit/handle.server.ts'

const open = openShopForTests()

const ACCESSES = ['public', 'token', 'member', 'staff', 'support', 'finance', 'admin']

test('declares access once for every registered route', () => {
  const lines = open.shop.routes.map(lineOf)
  expect(lines.length).toBeGreaterThan(30)
  expect(new Set(lines).size).toBe(lines.length)
  for (const route of open.shop.routes) expect(ACCESSES, lineOf(route)).toContain(accessOf(route))
})

test('rejects visitors on member routes and members on staff routes', async () => {
  const member = await open.shop.join()
  for (const route of open.shop.routes) {
    const [method, path] = lineOf(route).replace(/:\w+/g, '0190b3c2-7f58-7cc3-98c4-dc0c0c07398f').split(' ') as [
      string,
      string,
    ]
    const access = accessOf(route)
    if (access === 'public') continue
    const visitor = await fetch(open.shop.url + path, { method })
    expect(visitor.status, `${method} ${path}`).toBe(401)
    expect(await visitor.text()).toBe('{"message":"Unauthorized"}')
    if (!isForStaff(access)) continue
    expect((await fetch(open.shop.url + path, { method, headers: { cookie: member.cookie } })).status).toBe(403)
  }
})

test('matches the stored list of routes and their access', () => {
  const guarded = open.shop.routes.filter((route) => accessOf(route) === 'public').map(lineOf)
  const meantForAll = guarded.filter((line) => !/ \/(sandbox|api\/login|dev)(\/|$)/.test(line))
  expect(meantForAll.sort()).toEqual([
    'GET /api/categories',
    'GET /api/chat/status',
    'GET /api/licenses/keys',
    'GET /api/localisation/location',
    'GET /api/localisation/rates',
    'GET /api/logout',
    'GET /api/mails/unfollow',
    'GET /api/mails/unsubscribe',
    'GET /api/products',
    'GET /api/products/:id',
    'GET /api/products/:id/lessons',
    'GET /api/products/:id/previews',
    'GET /api/products/:id/reviews',
    'GET /api/products/:id/together',
    'GET /api/products/suggestions',
    'GET /api/real-time/products',
    'GET /api/sellers/:handle',
    'GET /api/sellers/:handle/reviews',
    'GET /api/status',
    'GET /certificates/:number',
    'GET /docs',
    'GET /healthz',
    'GET /images/:id/:file',
    'GET /images/covers/:file',
    'GET /images/preview/:file',
    'GET /images/sellers/:file',
    'GET /metrics',
    'GET /openapi.json',
    'GET /readyz',
    'GET /samples/:id',
    'GET /version',
    'POST /api/ai/analyze-error',
    'POST /api/errors',
    'POST /api/gifts/look',
    'POST /api/logout',
    'POST /api/mails/unfollow',
    'POST /api/mails/unsubscribe',
    'POST /api/monitoring/vitals',
    'POST /api/payments/paypal/webhook',
    'POST /api/payments/stripe/webhook',
    'PUT /objects/:id',
    'PUT /objects/:id/parts/:number',
  ])
})

/** Every write of staff with its audit action, or the reason why it has none. A new write needs a row here. */
const STAFF_WRITES: Record<string, string> = {
  'POST /api/admin/chat/:userId': 'support.answered',
  'POST /api/admin/chat/:userId/read': 'nothing: only marks what was looked at',
  'POST /api/admin/chat/:userId/typing': 'nothing: only says who types',
  'POST /api/admin/chat/:userId/here': 'nothing: only says who looks',
  'POST /api/admin/chat/:userId/settle': 'support.settled',
  'POST /api/admin/chat/:userId/assign': 'nothing: only says who answers',
  'POST /api/admin/chat/:userId/snooze': 'nothing: only moves the queue',
  'PUT /api/admin/chat/:userId/tags': 'nothing: only sorts conversations',
  'POST /api/admin/chat/:userId/notes': 'support.noted',
  'POST /api/admin/chat/:userId/merge': 'support.merged',
  'POST /api/admin/chat/replies': 'support.replies',
  'DELETE /api/admin/chat/replies/:id': 'support.replies',
  'POST /api/admin/answers/:questionId/reviewed': 'nothing: only marks what was looked at',
  'POST /api/admin/lessons': 'support.taught',
  'DELETE /api/admin/lessons/:id': 'support.taught',
  'DELETE /api/admin/members/:id/sessions': 'account.signed_out',
  'POST /api/admin/members/:id/view': 'account.viewed',
  'POST /api/admin/orders/:id/refund-requests/decline': 'order.declined',
  'POST /api/admin/code-cases/:id': 'report.code_decided',
  'POST /api/admin/code-cases/:id/reveal': 'report.code_revealed',
  'PUT /api/admin/messages/:id': 'messages.ended, messages.closed',
  'PUT /api/admin/products/:id/supply': 'product.supplied',
  'POST /api/admin/orders/:id/refunds': 'order.refunded, order.refund_asked',
  'POST /api/admin/payouts/batches': 'payout.approved',
  'PUT /api/admin/payouts/mark': 'payout.sent, payout.failed, payout.returned',
  'POST /api/admin/transfers/:id/sent': 'transfer.sent',
  'POST /api/admin/transfers/:id/settle': 'transfer.settled',
  'POST /api/admin/transfers/:id/write-off': 'transfer.written_off',
  'POST /api/payments/usdc/check': 'nothing: only reads the chain',
  'POST /api/admin/refunds/:id/decision': 'order.refund_approved, order.refund_rejected',
  'POST /api/admin/refunds/:id/settle': 'order.refund_settled',
  'POST /api/admin/refunds/:id/reclaim': 'order.credit_reclaimed',
  'POST /api/admin/disputes/:id/evidence': 'dispute.answered',
  'POST /api/admin/disputes/:id/reply': 'dispute.replied',
  'POST /api/admin/disputes/:id/settle': 'dispute.settled',
  'POST /api/admin/disputes/:id/files': 'dispute.file_added',
  'DELETE /api/admin/disputes/:id/files/:fileId': 'dispute.file_removed',
  'POST /api/payments/webhooks/test': 'payment.tested',
  'POST /api/admin/errors/:id/explanation': 'nothing: only keeps what a model makes of the report',
  'PUT /api/admin/errors/:id': 'error.open, error.muted, error.fixed',
  'POST /api/admin/risk/cases/:orderId/approve': 'risk.approved',
  'POST /api/admin/risk/cases/:orderId/refuse': 'risk.refused',
  'POST /api/admin/risk/blocks': 'risk.blocked',
  'DELETE /api/admin/risk/blocks/:id': 'risk.lifted',
  'PUT /api/admin/risk/weights': 'risk.weights',
  'POST /api/admin/categories': 'category.added',
  'PUT /api/admin/categories/:id': 'category.changed',
  'PUT /api/admin/category-order': 'category.ordered',
  'DELETE /api/admin/categories/:id': 'category.removed',
  'PUT /api/admin/reports/:id/owner': 'report.taken, report.released',
  'POST /api/admin/reports/:id/question': 'report.asked',
  'POST /api/admin/reports/:id/take-down': 'product.taken_down, review.hidden',
  'POST /api/admin/reports/:id/answer': 'review.answer_hidden, review.answer_restored',
  'POST /api/admin/reports/:id/close': 'report.closed',
  'POST /api/admin/reports/:id/restore': 'product.restored, review.restored',
  'POST /api/admin/sellers/:id/suspension': 'seller.suspended',
  'DELETE /api/admin/sellers/:id/suspension': 'seller.lifted',
  'POST /api/admin/risk/weights/try': 'nothing: only answers what they would have done',
}

test('audits every call with which staff change data', () => {
  const writes = open.shop.routes.filter((route) => isForStaff(accessOf(route))).map(lineOf)
  expect(writes.filter((line) => !line.startsWith('GET ')).sort()).toEqual(Object.keys(STAFF_WRITES).sort())
})

test('answers errors as JSON with a message and without stack, path or SQL', async () => {
  const tries: [string, RequestInit, number][] = [
    ['/api/nothing', {}, 404],
    ['/api/products/%ff', {}, 400],
    ['/api/products/not-an-id', {}, 404],
    ['/api/products?limit=many', {}, 400],
    ['/api/products?nonsense=1', {}, 400],
    ['/api/products', { method: 'DELETE' }, 405],
    ['/api/products', { method: 'PATCH' }, 405],
    ['/api/cart', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }, 401],
    ['/api/products?q=%00', {}, 400],
  ]
  for (const [path, init, status] of tries) {
    const response = await fetch(open.shop.url + path, init)
    const text = await response.text()
    expect(response.status, path).toBe(status)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(JSON.parse(text)).toHaveProperty('message')
    expect(text).not.toMatch(/node_modules|\.ts|select |\n\s+at /i)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('x-powered-by')).toBeNull()
  }
})

test.each([
  ['deeply nested', '['.repeat(500) + ']'.repeat(500), 400],
  ['not JSON', '{"productId":', 400],
  ['an array', '[]', 400],
  ['a prototype key', '{"__proto__":{"isAdmin":true},"productId":"x","quantity":1}', 400],
  ['an unknown field', '{"productId":"0190b3c2-7f58-7cc3-98c4-dc0c0c07398f","quantity":1,"total":"0.01"}', 400],
  ['a NUL', '{"productId":"a\\u0000","quantity":1}', 400],
  ['a lone surrogate', '{"productId":"\\ud800","quantity":1}', 400],
  ['too large', JSON.stringify({ productId: 'x'.repeat(70_000) }), 413],
])('rejects a body that is %s', async (_, body, status) => {
  const { cookie } = await open.shop.join()
  const response = await fetch(`${open.shop.url}/api/cart`, {
    method: 'POST',
    body,
    headers: { cookie, 'content-type': 'application/json' },
  })
  expect(response.status).toBe(status)
  expect(await response.json()).toHaveProperty('message')
})

test('rejects a write from another site, another content type or another host', async () => {
  const { cookie } = await open.shop.join()
  const send = (headers: Record<string, string>) =>
    fetch(`${open.shop.url}/api/cart`, { method: 'DELETE', headers: { cookie, ...headers } }).then(
      ({ status }) => status,
    )
  expect(await send({ origin: 'https://evil.example' })).toBe(403)
  expect(await send({ 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect(await send({ 'sec-fetch-site': 'same-site' })).toBe(403)
  expect(await send({ origin: open.shop.url, 'sec-fetch-site': 'same-origin' })).toBe(200)
  const form = await fetch(`${open.shop.url}/api/cart`, {
    method: 'POST',
    body: new URLSearchParams({ quantity: '1' }),
    headers: { cookie },
  })
  expect(form.status).toBe(415)
})

test('describes the API', async () => {
  const api = (await (await fetch(`${open.shop.url}/openapi.json`)).json()) as { paths: Record<string, object> }
  expect(Object.keys(api.paths)).toEqual(
    expect.arrayContaining(['/api/cart/{id}', '/order/{id}/capture', '/api/products']),
  )
  expect(await (await fetch(`${open.shop.url}/docs`)).text()).toContain('/api/orders/:id/lines/:lineId/download')
})

type Schema = { properties?: Record<string, Schema>; items?: Schema; enum?: string[] }
type Body = { content: { 'application/json': { schema: Schema } } }
type Operation = { requestBody?: Body; parameters?: { name: string }[]; responses: Record<string, Body> }

async function operationOf(line: string) {
  const [method, path] = line.split(' ') as [string, string]
  const { paths } = (await (await fetch(`${open.shop.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  return paths[path]![method.toLowerCase()]!
}

/** Returns the field names at a place in a schema: 'product' also means the field of each item. */
const fieldsAt = (schema: Schema, place = ''): string[] => {
  const { properties = {} } = schema.items ?? schema
  const [name, ...rest] = place.split('.')
  return name ? fieldsAt(properties[name]!, rest.join('.')) : Object.keys(properties)
}

test.each([
  ['GET /api/auth/user', '', 'firstName lastName email profileImageUrl isAdmin createdAt'],
  ['GET /api/categories', '', 'id name'],
  ['GET /api/products', '', 'id title description price categoryId imageUrl isActive'],
  ['GET /api/products/{id}', '', 'id title description price categoryId imageUrl isActive'],
  ['POST /api/products', '', 'id'],
  ['GET /api/cart', '', 'id productId quantity product'],
  ['GET /api/cart', 'product', 'price title description imageUrl'],
  ['GET /api/orders', '', 'id status total paymentMethod paymentId createdAt'],
  ['GET /setup', '', 'clientToken'],
  ['POST /order', '', 'id'],
  ['POST /order/{id}/capture', '', 'id status'],
  ['GET /api/chat', '', 'id message isFromUser isFromAdmin'],
  ['POST /api/products/analyze', '', 'category suggestedPrice'],
  ['POST /api/objects/upload', '', 'uploadURL'],
  ['POST /api/ai/analyze-error', '', 'errorId action success description'],
  ['GET /api/localisation/location', '', 'country_code country_name city ip'],
])('%s returns the fields of the specification %s', async (line, place, fields) => {
  const { responses } = await operationOf(line)
  const { schema } = Object.entries(responses).find(([status]) => status.startsWith('20'))![1].content[
    'application/json'
  ]
  expect(fieldsAt(schema, place)).toEqual(expect.arrayContaining(fields.split(' ')))
})

test.each([
  ['POST /api/products', '', 'title description price categoryId'],
  ['PUT /api/products/{id}/files', '', 'imageURL digitalFileURL'],
  ['POST /api/products/analyze', '', 'description'],
  ['POST /api/cart', '', 'productId quantity'],
  ['PUT /api/cart/{id}', '', 'quantity'],
  ['POST /api/orders', '', 'items total paymentMethod paymentId'],
  ['POST /api/orders', 'items', 'productId quantity price'],
  ['POST /api/chat', '', 'message'],
  ['POST /api/ai/analyze-error', 'error', 'message stack name id type timestamp severity autoFixed userAgent'],
  ['POST /api/ai/analyze-error', 'context', 'componentStack errorBoundary timestamp userAgent url'],
  ['POST /api/ai/fraud-analysis', 'event', 'id type severity description timestamp blocked userAgent ipAddress'],
  ['POST /api/ai/fraud-analysis', 'sessionContext', 'userAgent timestamp url screenResolution timezone'],
  ['POST /order', '', 'amount currency intent'],
])('%s accepts the payload of the specification %s', async (line, place, fields) => {
  const { schema } = (await operationOf(line)).requestBody!.content['application/json']
  expect(fieldsAt(schema, place)).toEqual(expect.arrayContaining(fields.split(' ')))
})

test.each([
  ['GET /api/products', ['categoryId']],
  ['DELETE /api/cart/{id}', ['id']],
  ['DELETE /api/cart', []],
  ['POST /api/objects/upload', []],
  ['POST /order/{id}/capture', ['id']],
])('%s accepts no payload, only %j in the address', async (line, names) => {
  const { parameters = [], requestBody } = await operationOf(line)
  expect(requestBody).toBeUndefined()
  expect(parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
})

test('serves no sources, source maps, settings, secrets or metrics', async () => {
  const maps = globSync('dist/assets/*.map').slice(0, 1)
  const paths = [
    ...maps.map((file) => file.replace(/^dist/, '')),
    ...[
      '/.env',
      '/.git/config',
      '/package.json',
      '/src/app/main.server.ts',
      '/data/secret',
      '/metrics',
      '/debug',
      '/server-status',
    ],
    ...['/assets/../package.json', '/assets/..%2fpackage.json', '/assets/%2e%2e/.manifest.json', '/.manifest.json'],
  ]
  for (const path of paths) {
    const answer = await fetch(open.shop.url + path)
    const text = await answer.text()
    expect([path, text]).toEqual([path, expect.not.stringMatching(/"dependencies"|"sources"|import \{|primo_|SECRET/)])
    expect([path, answer.headers.get('content-type')]).toEqual([
      path,
      expect.stringMatching(/text\/html|application\/json/),
    ])
  }
})
