import type Stripe from 'stripe'
import { inSpan } from '../../kit/log/trace.server.ts'
import { Unanswered, UnderWay } from '../../payments/outcome.ts'

// Wraps Stripe's library. One client serves the sandbox, Stripe's test mode and the live service.

const TIMEOUT_MS = 8_000
/** For a request with files of up to 4.5 MB. */
export const UPLOAD_TIMEOUT_MS = 60_000

export type Credentials = { secretKey: string; webhookSecret: string }
export type Client = ReturnType<typeof createClient>

/** Stripe rejected the request. Money moved only if `intent` shows it. */
export class Refused extends Error {
  readonly code: string
  /** Stripe's sentence. */
  readonly reason: string
  readonly param: string | undefined
  readonly isCard: boolean
  readonly intent: Stripe.PaymentIntent | undefined
  constructor(error: Stripe.errors.StripeError) {
    const { code, message, param, type, payment_intent: intent } = error
    super(`Stripe refused: ${code ?? message}`)
    this.code = code ?? (type === 'StripeIdempotencyError' ? KEY_REUSED : (error.rawType ?? type))
    this.reason = message
    this.param = param
    this.isCard = type === 'StripeCardError'
    this.intent = intent
  }
}

export const KEY_REUSED = 'idempotency_error'

/** Without `baseUrl` the client calls Stripe, whose host for files is another one. The library loads with the first request. */
export function createClient({ secretKey, baseUrl }: { secretKey: string; baseUrl?: string | undefined }) {
  let loading: Promise<Stripe> | undefined

  // the library accepts a host but no path before /v1, so add the path here
  const reach: typeof fetch = (asked, init = {}) => {
    const { origin, pathname, search } = new URL(asked as string)
    return inSpan('stripe', { 'http.request.method': init.method ?? 'GET', 'url.path': pathname }, () =>
      fetch((baseUrl ?? origin) + pathname + search, { ...init, redirect: 'error' }),
    )
  }

  async function load(): Promise<Stripe> {
    const { Stripe: Library } = await import('stripe')
    return new Library(secretKey, {
      httpClient: Library.createFetchHttpClient(reach),
      // the shop's jobs retry with the same idempotency keys
      maxNetworkRetries: 0,
      timeout: TIMEOUT_MS,
      telemetry: false,
    })
  }

  async function ask<T>(work: (stripe: Stripe) => Promise<T>): Promise<T> {
    const stripe = await (loading ??= load())
    try {
      return await work(stripe)
    } catch (error) {
      throw translate(error)
    }
  }

  async function find<T>(work: (stripe: Stripe) => Promise<T>): Promise<T | null> {
    try {
      return await ask(work)
    } catch (error) {
      if (error instanceof Refused && error.code === 'resource_missing') return null
      throw error
    }
  }

  return { ask, find }
}

const REFUSALS = ['StripeCardError', 'StripeInvalidRequestError', 'StripeIdempotencyError']

function translate(error: unknown): unknown {
  const { type, statusCode, message } = error as Stripe.errors.StripeError
  if (typeof type !== 'string' || !type.startsWith('Stripe')) return error
  if (REFUSALS.includes(type)) return new Refused(error as Stripe.errors.StripeError)
  const what = `${type}: ${statusCode ?? 'no answer'}`
  if (statusCode === 409) return new UnderWay(what, { cause: error })
  return new Unanswered(statusCode === undefined ? `${what}: ${message}` : what, { cause: error })
}

/** Stripe stores an idempotency key for 24 hours. A later repeat could move money twice. */
export const REPEAT_MINUTES = 23 * 60

/** Returns a Unix time before anything of this age was created, with an hour of tolerance for clock differences. */
export const beforeAge = (ageMinutes: number) => Math.floor(Date.now() / 1000 - (ageMinutes + 60) * 60)
