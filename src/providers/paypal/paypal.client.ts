import type { PayPalV6Namespace, SdkInstance } from '@paypal/paypal-js/sdk-v6'
import { call } from '../../kit/call.client.ts'
import { getPaymentSetup } from '../../payments/payments.contract.ts'
import type { BrowserProvider, Endings, Started } from '../../payments/provider.ts'

declare global {
  interface Window {
    paypal?: PayPalV6Namespace
  }
}

type Sdk = SdkInstance<['paypal-payments']>

// client tokens expire after 15 minutes
const FRESH_MS = 12 * 60_000

let ready: { at: number; provider: Promise<BrowserProvider> } | undefined

export function loadPaypal(): Promise<BrowserProvider> {
  if (ready && performance.now() - ready.at < FRESH_MS) return ready.provider
  const provider = openPaypal()
  ready = { at: performance.now(), provider }
  provider.catch((error: unknown) => {
    // oxlint-disable-next-line no-console -- the specification wants this logged and no more
    console.warn('the payment provider could not be loaded', error)
    ready = undefined
  })
  return provider
}

async function openPaypal(): Promise<BrowserProvider> {
  const { clientToken, environment: mode, scriptUrl } = await call(getPaymentSetup, {})
  if (!window.paypal?.version.startsWith('6')) await loadScript(scriptUrl)
  const sdk = await window.paypal!.createInstance({
    clientToken,
    components: ['paypal-payments'],
    pageType: 'checkout',
  })
  return { mode, open: (started, endings) => runSession(sdk, started, endings) }
}

function runSession(sdk: Sdk, started: Promise<Started>, { approve, giveUp }: Endings): Promise<void> {
  return new Promise((resolve, reject) => {
    const session = sdk.createPayPalOneTimePaymentSession({
      onApprove: ({ orderId: id }) => approve(id).then(resolve, reject),
      onCancel: () => void started.then(({ id }) => giveUp(id)).then(resolve, reject),
      onError: (error) => {
        // oxlint-disable-next-line no-console -- the specification wants this logged and no more
        console.warn('the payment window reports an error', error)
        started.then(({ id }) => giveUp(id)).then(() => reject(error), reject)
      },
    })
    // browsers block a popup that opens after the click, so the order id follows as a promise
    session
      .start(
        { presentationMode: 'auto' },
        started.then(({ id }) => ({ orderId: id })),
      )
      .catch(reject)
    started.catch(reject)
  })
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
