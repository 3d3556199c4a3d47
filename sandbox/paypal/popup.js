// Runs in the payment window once the payer has chosen: tells the shop's page, then goes away. Both are of one origin.
const { outcome, token, payer, mode, back } = document.querySelector('main').dataset
if (outcome) {
  const news = { type: 'sandbox-payment', token, outcome, payerId: payer }
  // the second way, for a browser that cut the window off from the page that opened it
  new BroadcastChannel('sandbox-payment').postMessage(news)
  if (mode === 'modal') parent.postMessage(news, location.origin)
  else if (mode === 'popup') {
    opener?.postMessage(news, location.origin)
    setTimeout(() => close(), 50)
  } else if (back) location.replace(back)
}
