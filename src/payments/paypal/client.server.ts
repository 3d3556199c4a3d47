import { toDecimal } from '../../kit/money.ts'
import { inSpan } from '../../kit/log/trace.server.ts'
import { Refused, Unanswered, UnderWay } from './errors.server.ts'
import { type CertificateFolder, createSignatureCheck } from './signature.server.ts'
import type { ProviderCapture, ProviderOrder } from '../capture.rules.ts'
import { createRecord } from './eventLog.server.ts'
import {
  Created,
  type ProviderRefund,
  read,
  readCapture,
  readIssue,
  readOrderRefunds,
  readProviderOrder,
  readRefund,
  Token,
} from './wire.server.ts'

// The provider's REST interface: the same client for the built-in sandbox, the provider's sandbox and the live service.

const TIMEOUT_MS = 8_000
const TOKEN_MARGIN_MS = 60_000
// the second is the bare name of a 409, which says no more
const UNDER_WAY = new Set(['PREVIOUS_REQUEST_IN_PROGRESS', 'RESOURCE_CONFLICT'])

/** The provider remembers a request's id for six hours from the first; later than this a repeat could move money again. */
export const REPEAT_MINUTES = 5 * 60

export type PaypalOptions = {
  baseUrl: string
  clientId: string
  clientSecret: string
  webhookId: string | undefined
  certificates: CertificateFolder[]
  mode: 'sandbox' | 'live'
  storeName: string
  /** The shop's address, for the provider's return links. */
  publicUrl: string
}

export type ChargedLine = { productId: string; title: string; priceCents: number; quantity: number }
export type Charge = { paymentId: string; amountCents: number; lines: ChargedLine[] }
/** `isKeepable`: the payer is asked whether the shop may charge this wallet again. */
export type NewCharge = Charge & { isKeepable?: boolean }

export type Paypal = ReturnType<typeof createPaypal>

export function createPaypal(options: PaypalOptions) {
  const basic = `Basic ${Buffer.from(`${options.clientId}:${options.clientSecret}`).toString('base64')}`
  let token: { text: string; until: number } | undefined
  let tokenUnderWay: Promise<string> | undefined

  async function fetchToken(extra: Record<string, string> = {}) {
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...extra })
    const answer = await exchange('POST', '/v1/oauth2/token', { authorization: basic }, body)
    return read(() => Token.parse(answer))
  }

  function bearer(): Promise<string> {
    if (token && token.until > performance.now()) return Promise.resolve(token.text)
    tokenUnderWay ??= fetchToken()
      .then(({ access_token, expires_in }) => {
        token = { text: access_token, until: performance.now() + expires_in * 1000 - TOKEN_MARGIN_MS }
        return access_token
      })
      .finally(() => (tokenUnderWay = undefined))
    return tokenUnderWay
  }

  async function request(method: string, path: string, body?: unknown, requestId?: string): Promise<unknown> {
    const headers = {
      authorization: `Bearer ${await bearer()}`,
      prefer: 'return=representation',
      ...(requestId && { 'paypal-request-id': requestId }),
    }
    return exchange(method, path, headers, body)
  }

  const exchange = (method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<unknown> =>
    inSpan('paypal', { 'http.request.method': method, 'url.path': path.split('?')[0]! }, () =>
      ask(method, path, headers, body),
    )

  async function ask(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<unknown> {
    const isForm = body instanceof URLSearchParams
    let response: Response
    let text: string
    try {
      response = await fetch(options.baseUrl + path, {
        method,
        headers: {
          accept: 'application/json',
          'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
          ...headers,
        },
        body: body === undefined ? null : isForm || typeof body === 'string' ? body : JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        redirect: 'error',
      })
      text = await response.text()
    } catch (cause) {
      throw new Unanswered(`${method} ${path}: no answer`, { cause })
    }
    const answer = read((): unknown => (text === '' ? null : JSON.parse(text)))
    // without leave to ask, nothing was said about the payment itself
    const isNoAnswer = response.status >= 500 || /^(401|403|429)$/.test(String(response.status))
    if (response.status === 401) token = undefined
    if (isNoAnswer) throw new Unanswered(`${method} ${path}: ${response.status}`)
    if (response.ok) return answer
    const issue = readIssue(answer)
    if (response.status === 409 && UNDER_WAY.has(issue)) throw new UnderWay(`${method} ${path}: 409 ${issue}`)
    throw new Refused(issue)
  }

  /** A token for the provider's browser script; good for minutes. */
  async function createClientToken() {
    const { access_token, expires_in } = await fetchToken({ response_type: 'client_token', intent: 'sdk_init' })
    return { clientToken: access_token, expiresAt: new Date(Date.now() + expires_in * 1000) }
  }

  async function createOrder({ isKeepable, ...charge }: NewCharge): Promise<string> {
    const keeping = isKeepable && {
      attributes: { vault: { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT', customer_type: 'CONSUMER' } },
    }
    const source = {
      ...keeping,
      experience_context: {
        brand_name: options.storeName,
        shipping_preference: 'NO_SHIPPING',
        user_action: 'PAY_NOW',
        payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
        return_url: `${options.publicUrl}/orders`,
        cancel_url: `${options.publicUrl}/cart`,
      },
    }
    const body = { intent: 'CAPTURE', purchase_units: [purchaseUnit(charge)], payment_source: { paypal: source } }
    const create = async () => {
      const answer = await request(
        'POST',
        '/v2/checkout/orders',
        body,
        `co-${isKeepable ? 'k-' : ''}${charge.paymentId}`,
      )
      return read(() => Created.parse(answer)).id
    }
    // an account without the vault refuses to keep; the payment itself it takes
    const again = (error: unknown) => {
      if (isKeepable && error instanceof Refused) return createOrder(charge)
      throw error
    }
    return create().catch(again)
  }

  /** Creates and captures in one step with a saved instrument. Safe to repeat: the payment's id is the request's. */
  async function chargeSaved(charge: Charge & { vaultId: string }): Promise<ProviderOrder> {
    const body = {
      intent: 'CAPTURE',
      purchase_units: [purchaseUnit(charge)],
      payment_source: { paypal: { vault_id: charge.vaultId } },
    }
    const answer = await request('POST', '/v2/checkout/orders', body, `one-${charge.paymentId}`)
    return read(() => readProviderOrder(answer))
  }

  /** `declines` counts the payment's declines so far: a new try after one is a new request. */
  async function captureOrder(providerOrderId: string, paymentId: string, declines: number): Promise<ProviderOrder> {
    const answer = await request(
      'POST',
      `/v2/checkout/orders/${encodeURIComponent(providerOrderId)}/capture`,
      {},
      `cap-${paymentId}-${declines}`,
    )
    return read(() => readProviderOrder(answer))
  }

  /** The order as the provider knows it now, or null when it knows none of that id. */
  async function readOrder(providerOrderId: string): Promise<ProviderOrder | null> {
    const answer = await orNull(request('GET', `/v2/checkout/orders/${encodeURIComponent(providerOrderId)}`))
    return answer === null ? null : read(() => readProviderOrder(answer))
  }

  /** The refunds that the order shows, or null when the provider knows no such order. */
  async function readRefundsOf(providerOrderId: string): Promise<ProviderRefund[] | null> {
    const answer = await orNull(request('GET', `/v2/checkout/orders/${encodeURIComponent(providerOrderId)}`))
    return answer === null ? null : read(() => readOrderRefunds(answer))
  }

  async function readCaptureOf(captureId: string): Promise<ProviderCapture | null> {
    const answer = await orNull(request('GET', `/v2/payments/captures/${encodeURIComponent(captureId)}`))
    return answer === null ? null : read(() => readCapture(answer))
  }

  /** `amountCents: null` gives back all that was captured, in whatever currency it was. */
  async function refundCapture(captureId: string, refund: { id: string; amountCents: number | null }) {
    const amount = refund.amountCents === null ? {} : { amount: money(refund.amountCents) }
    const body = { ...amount, custom_id: refund.id, invoice_id: refund.id }
    const answer = await request(
      'POST',
      `/v2/payments/captures/${encodeURIComponent(captureId)}/refund`,
      body,
      `rf-${refund.id}`,
    )
    return read(() => readRefund(answer))
  }

  async function readRefundOf(refundId: string): Promise<ProviderRefund | null> {
    const answer = await orNull(request('GET', `/v2/payments/refunds/${encodeURIComponent(refundId)}`))
    return answer === null ? null : read(() => readRefund(answer))
  }

  /** Whether saved wallets can be charged: the vault must answer, if only that it does not know this one. */
  async function askVault(): Promise<void> {
    await orNull(request('GET', '/v3/vault/payment-tokens/0probe0'))
  }

  /** Takes the leave to charge a saved wallet back; answers too when there is none of that id (any more). */
  async function revokeWallet(vaultId: string): Promise<void> {
    await orNull(request('DELETE', `/v3/vault/payment-tokens/${encodeURIComponent(vaultId)}`))
  }

  return {
    mode: options.mode,
    /** Whether the signature of an event can be checked at all. */
    canVerify: options.webhookId !== undefined,
    askVault,
    createClientToken,
    createOrder,
    chargeSaved,
    captureOrder,
    readOrder,
    readCapture: readCaptureOf,
    refundCapture,
    readRefund: readRefundOf,
    readRefundsOf,
    ...createRecord((path) => request('GET', path), options.baseUrl),
    revokeWallet,
    isWebhookGenuine: createSignatureCheck(options.certificates, options.webhookId),
  }
}

const money = (cents: number) => ({ currency_code: 'USD', value: toDecimal(cents) })

function purchaseUnit({ paymentId, amountCents, lines }: Charge) {
  const itemCents = lines.reduce((sum, line) => sum + line.priceCents * line.quantity, 0)
  // what store credit pays; the provider adds the items up and wants to know why they come to more
  const discount = itemCents > amountCents && { discount: money(itemCents - amountCents) }
  return {
    reference_id: 'default',
    custom_id: paymentId,
    invoice_id: paymentId,
    description: 'Digital goods',
    amount: { ...money(amountCents), breakdown: { item_total: money(itemCents), ...discount } },
    items: lines.map((line) => ({
      // by characters: half an emoji is not text
      name: [...line.title].slice(0, 127).join(''),
      sku: line.productId,
      quantity: String(line.quantity),
      category: 'DIGITAL_GOODS',
      unit_amount: money(line.priceCents),
    })),
  }
}

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Refused && /RESOURCE_NOT_FOUND|INVALID_RESOURCE_ID/.test(error.issue)) return null
    throw error
  }
}
