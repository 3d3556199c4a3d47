import type { PayPalV6Namespace, SdkInstance } from '@paypal/paypal-js/sdk-v6'
import { call } from '../kit/call.client.ts'
import { getPaymentSetup, type PaymentSetup } from './checkout.contract.ts'

declare global {
  interface Window {
    paypal?: PayPalV6Namespace
  }
}

export type Payments = { sdk: SdkInstance<['paypal-payments']>; setup: PaymentSetup }

// client tokens live for fifteen minutes; an older instance is made anew
const FRESH_MS = 12 * 60_000

let ready: { at: number; payments: Promise<Payments> } | undefined

/** The provider's browser script with a fresh client token; loaded once and shared by every button. */
export function loadPayments(): Promise<Payments> {
  if (ready && performance.now() - ready.at < FRESH_MS) return ready.payments
  const payments = openPayments()
  ready = { at: performance.now(), payments }
  payments.catch((error: unknown) => {
    // oxlint-disable-next-line no-console -- the specification wants this logged and no more
    console.warn('the payment provider could not be loaded', error)
    ready = undefined
  })
  return payments
}

async function openPayments(): Promise<Payments> {
  const setup = await call(getPaymentSetup, {})
  if (!window.paypal?.version.startsWith('6')) await loadScript(setup.scriptUrl)
  const sdk = await window.paypal!.createInstance({
    clientToken: setup.clientToken,
    components: ['paypal-payments'],
    pageType: 'checkout',
  })
  return { sdk, setup }
}

function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.async = true
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      reject(new Error(`network: ${src} could not be loaded`))
    }
    document.head.append(script)
  })
}
