// Runs in the payment window after the payer's choice. A channel also reaches a page that the browser cut off from it.
const main = document.querySelector('main')
const { outcome, token, mode } = main.dataset
if (outcome) {
  new BroadcastChannel('sandbox-payment').postMessage({ token, outcome })
  if (mode === 'popup') setTimeout(() => close(), 50)
}
// the page that opened this window may be closed
const late = main.querySelector('[data-late]')
if (late) {
  late.querySelector('button').addEventListener('click', () => close())
  setTimeout(() => {
    main.querySelector('[role="status"]').textContent = late.dataset.late
    late.hidden = false
  }, 10_000)
}
