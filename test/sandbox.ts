import { createByteCache } from '../src/kit/serve/cache.server.ts'
import { openDatabase } from '../src/kit/database.server.ts'
import { handleRaw, type Route } from '../src/kit/handle.server.ts'
import { createLimiter } from '../src/kit/serve/limit.server.ts'
import { setLogLevel } from '../src/kit/log/log.server.ts'
import { findFreePort } from '../src/kit/serve/port.server.ts'
import { serve } from '../src/kit/serve/serve.server.ts'
import { openSandbox } from '../sandbox/paypal/sandbox.server.ts'
import { createTestDatabase } from './database.ts'

type Json = Record<string, unknown>
export type Reply = { status: number; body: Json; text: string; headers: Headers }
export type Delivery = { headers: (name: string) => string; raw: string; event: Json }

export type TestSandbox = Awaited<ReturnType<typeof serveSandbox>>

/** Serves the payment sandbox alone, over HTTP, with a webhook that records its deliveries. */
export async function serveSandbox(databaseUrl: string, { isProduction = false, routes = [] as Route[] } = {}) {
  setLogLevel('silent')
  const database = openDatabase(databaseUrl, { size: 24 })
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const config = {
    mode: isProduction ? ('production' as const) : ('test' as const),
    isSandboxOn: true,
    paypal: undefined,
    storeName: 'Primo',
  }
  const sandbox = await openSandbox({
    config,
    database,
    publicUrl: url,
    webhookUrl: `${url}/api/payments/paypal/webhook`,
  })
  const deliveries: Delivery[] = []
  const shop = { status: 200 }
  const webhook = handleRaw(
    'POST /api/payments/paypal/webhook',
    { access: 'public', about: 'A stand-in.', body: 'bytes', bodyLimit: 256 * 1024, isFromBrowser: false },
    async ({ header, body }) => {
      const raw = body.toString('utf8')
      deliveries.push({ headers: (name) => header(name) ?? '', raw, event: JSON.parse(raw) as Json })
      return { status: shop.status }
    },
  )
  const server = await serve({
    routes: [...sandbox.routes, webhook, ...routes],
    database,
    cache: createByteCache({ listen: async () => undefined, isUp: () => true, close: async () => undefined }),
    limiter: createLimiter({ scale: 0 }),
    identify: async () => null,
    fallback: async () => ({ status: 404 }),
    publicUrl: undefined,
    isProxyTrusted: false,
    host: 'localhost',
    port,
  })

  const base = `${url}/sandbox/paypal`
  const { clientId, clientSecret } = sandbox.credentials
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

  async function fetchToken(more: Record<string, string> = {}): Promise<string> {
    const response = await fetch(`${base}/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization: basic },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...more }),
    })
    return ((await response.json()) as { access_token: string }).access_token
  }
  const bearer = `Bearer ${await fetchToken()}`

  /** Calls the sandbox as the shop's server does. Sends a text `body` unchanged. */
  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const response = await fetch(base + path, {
      method,
      headers: { authorization: bearer, 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await response.text()
    return {
      status: response.status,
      body: text === '' ? {} : (JSON.parse(text) as Json),
      text,
      headers: response.headers,
    }
  }

  async function close() {
    await sandbox.stop()
    await server.close()
    await database.db.destroy()
  }
  return { url, base, basic, call, fetchToken, sandbox, database, deliveries, shop, close }
}

export async function openTestSandbox(options: { isProduction?: boolean; routes?: Route[] } = {}) {
  const { url, drop } = await createTestDatabase()
  const sandbox = await serveSandbox(url, options)
  return {
    ...sandbox,
    databaseUrl: url,
    close: async () => {
      await sandbox.close()
      await drop()
    },
  }
}

/** Polls `isSo` until it is true, for 30 seconds by default. */
export async function until(isSo: () => unknown, seconds = 30) {
  const end = performance.now() + seconds * 1000
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('the condition did not become true in time')
    await new Promise((done) => setTimeout(done, 20))
  }
}

// Request bodies in the form that the shop sends.

export const usd = (value: string) => ({ currency_code: 'USD', value })

export function orderBody(paymentId: string, change: Json = {}, unitChange: Json = {}) {
  return {
    intent: 'CAPTURE',
    purchase_units: [
      {
        reference_id: 'default',
        custom_id: paymentId,
        invoice_id: paymentId,
        description: 'Digital goods',
        amount: { ...usd('44.99'), breakdown: { item_total: usd('44.99') } },
        items: [
          {
            name: 'Corner Café Gift Card',
            sku: 'a',
            quantity: '2',
            category: 'DIGITAL_GOODS',
            unit_amount: usd('12.50'),
          },
          { name: 'Night Trains', sku: 'b', quantity: '1', category: 'DIGITAL_GOODS', unit_amount: usd('19.99') },
        ],
        ...unitChange,
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          shipping_preference: 'NO_SHIPPING',
          user_action: 'PAY_NOW',
          return_url: 'https://shop.example/orders',
          cancel_url: 'https://shop.example/cart',
        },
      },
    },
    ...change,
  }
}

export const savingSource = () => ({
  payment_source: {
    paypal: {
      attributes: {
        vault: { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT', customer_type: 'CONSUMER' },
      },
    },
  },
})
