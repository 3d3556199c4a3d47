// Stands in for the provider's browser script, version 6: the calls that the shop makes, with our own payment window.
;(() => {
  // this script is at <base>web-sdk/v6/core
  const base = new URL('../../', document.currentScript.src)
  const CLOSED_POLL_MS = 250
  // the outcome of a window may arrive just after the window has closed
  const LAST_WORD_MS = 400

  function openPopup() {
    const [width, height] = [480, 760]
    const left = Math.max(0, Math.round(screenX + (outerWidth - width) / 2))
    const top = Math.max(0, Math.round(screenY + (outerHeight - height) / 2))
    const features = `popup,width=${width},height=${height},left=${left},top=${top}`
    const popup = open(new URL('checkoutnow', base), 'sandbox-payment', features)
    return (
      popup && {
        mode: 'popup',
        show: (url) => popup.location.replace(url),
        focus: () => popup.focus(),
        close: () => popup.close(),
        isClosed: () => popup.closed,
      }
    )
  }

  /** A frame in the page, for a browser that blocks windows. */
  function openModal() {
    const dialog = document.createElement('dialog')
    dialog.setAttribute('aria-label', 'Pay in the sandbox')
    dialog.autofocus = true
    dialog.style.cssText =
      'padding:0;border:0;border-radius:16px;overflow:hidden;width:min(100vw,30rem);height:min(100dvh,46rem);max-width:100vw;max-height:100dvh'
    const frame = document.createElement('iframe')
    frame.title = 'Pay in the sandbox'
    frame.style.cssText = 'display:block;border:0;width:100%;height:100%'
    frame.src = new URL('checkoutnow', base)
    // the browser closes a dialog on Escape only while the focus is outside the frame
    frame.onload = () => {
      frame.contentWindow.addEventListener('keydown', ({ key }) => {
        if (key === 'Escape') dialog.close()
      })
    }
    dialog.append(frame)
    document.body.append(dialog)
    dialog.showModal()
    return {
      mode: 'modal',
      show: (url) => (frame.src = url),
      focus: () => frame.focus(),
      close: () => dialog.remove(),
      isClosed: () => !dialog.open,
    }
  }

  /** Resolves with the payer's outcome, or with 'canceled' when the window closes without one. */
  function outcomeOf(view, token, signal) {
    return new Promise((resolve) => {
      const channel = new BroadcastChannel('sandbox-payment')
      const end = (outcome) => {
        clearInterval(poll)
        channel.close()
        resolve(outcome)
      }
      const poll = setInterval(() => {
        if (!view.isClosed()) return
        clearInterval(poll)
        setTimeout(() => end('canceled'), LAST_WORD_MS)
      }, CLOSED_POLL_MS)
      channel.onmessage = ({ data }) => data.token === token() && end(data.outcome)
      signal.addEventListener('abort', () => end('failed'))
    })
  }

  function createSession({ onApprove, onCancel, onError }) {
    let current = null

    async function start(_, promise) {
      if (current) return current.focus()
      // opened in the click: the browser blocks a window that opens later
      const view = openPopup() ?? openModal()
      current = view
      const stopper = new AbortController()
      let orderId
      const outcome = outcomeOf(view, () => orderId, stopper.signal)
      try {
        orderId = await Promise.race([promise.then((order) => order.orderId), outcome.then(() => undefined)])
      } catch (error) {
        stopper.abort()
        finish(view)
        onError?.(error)
        throw error
      }
      if (orderId && !view.isClosed()) {
        const page = new URL('checkoutnow', base)
        page.search = new URLSearchParams({ token: orderId, mode: view.mode })
        view.show(page)
      }
      void outcome.then((ended) => {
        if (ended === 'failed') return
        finish(view)
        if (ended === 'canceled') return onCancel?.(orderId ? { orderId } : {})
        return Promise.resolve(onApprove({ orderId, fundingSource: 'paypal' })).catch((error) => onError?.(error))
      })
    }

    function finish(view) {
      view.close()
      current = null
    }

    return { start }
  }

  async function createInstance({ clientToken }) {
    const body = new URLSearchParams({ clientToken })
    const response = await fetch(new URL('web-sdk/v6/instances', base), { method: 'POST', body })
    if (!response.ok) throw new Error('The client token is not valid, or it has expired.')
    return { createPayPalOneTimePaymentSession: createSession }
  }

  window.paypal = { version: '6.0.0-sandbox', createInstance }
})()
