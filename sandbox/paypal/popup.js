// Runs in the payment window after the payer's choice. A channel also reaches a page that the browser cut off from it.
const { outcome, token, mode } = document.querySelector('main').dataset
if (outcome) {
  new BroadcastChannel('sandbox-payment').postMessage({ token, outcome })
  if (mode === 'popup') setTimeout(() => close(), 50)
}
