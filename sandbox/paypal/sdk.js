// The payment sandbox's stand-in for the provider's browser script, version 6: the same calls, our own payment window.
;(() => {
  // this script is at <base>web-sdk/v6/core
  const base = new URL('../../', document.currentScript.src)
  const CLOSED_POLL_MS = 250
  // a window that has just told its outcome closes at the same moment
  const LAST_WORD_MS = 400

  const failure = (code, message, isRecoverable = false) =>
    Object.assign(new Error(message), { name: 'PayPalError', code, isRecoverable })

  // --- where the payer chooses: a window, or a frame in the page when windows are blocked

  function openPopup() {
    const [width, height] = [480, 760]
    const left = Math.max(0, Math.round(screenX + (outerWidth - width) / 2))
    const top = Math.max(0, Math.round(screenY + (outerHeight - height) / 2))
    const features = `popup,width=${width},height=${height},left=${left},top=${top}`
    const popup = open(new URL('checkoutnow', base), 'sandbox-payment', features)
    if (!popup) return null
    return {
      mode: 'popup',
      show: (url) => popup.location.replace(url),
      focus: () => popup.focus(),
      close: () => popup.close(),
      isClosed: () => popup.closed,
    }
  }

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
    // the Escape key closes a dialog, but not while the frame in it has the keyboard
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

  function openView(mode) {
    if (mode === 'modal') return openModal()
    const popup = openPopup()
    if (popup) return popup
    if (mode === 'popup') throw failure('ERR_POPUP_BLOCKED', 'The browser blocked the payment window.', true)
    return openModal()
  }

  /** Resolves with the outcome that the payment window tells, or 'canceled' when it goes away without a word. */
  function outcomeOf(view, token, signal) {
    return new Promise((resolve) => {
      const channel = new BroadcastChannel('sandbox-payment')
      const hear = ({ data }) => {
        if (data?.type === 'sandbox-payment' && data.token === token()) end(data)
      }
      const hearWindow = (event) => {
        if (event.origin === location.origin) hear(event)
      }
      const poll = setInterval(() => {
        if (!view.isClosed()) return
        clearInterval(poll)
        setTimeout(() => end({ outcome: 'canceled' }), LAST_WORD_MS)
      }, CLOSED_POLL_MS)
      const end = (news) => {
        clearInterval(poll)
        channel.close()
        removeEventListener('message', hearWindow)
        resolve(news)
      }
      channel.onmessage = hear
      addEventListener('message', hearWindow)
      signal.addEventListener('abort', () => end({ outcome: signal.reason }))
    })
  }

  // --- sessions

  /** `kind` says what is agreed to: its id's name, its page, and what the shop is told. */
  function createSession(kind, fundingSource, options = {}) {
    let running = null
    let isDestroyed = false

    async function start({ presentationMode, paymentFlow, autoRedirect } = {}, promise) {
      if (isDestroyed) throw failure('ERR_SESSION_DESTROYED', 'This payment session has ended.')
      if (running) return running.view.focus()
      const mode = presentationMode ?? paymentFlow ?? 'auto'
      if (mode === 'redirect') return redirect(autoRedirect, promise)
      // in the click itself, because a window opened later is blocked
      const view = openView(mode)
      const stopper = new AbortController()
      running = { view, stopper }
      let id
      const outcome = outcomeOf(view, () => id, stopper.signal)
      try {
        id = await Promise.race([idOf(promise), outcome.then(() => null)])
      } catch (error) {
        view.close()
        stopper.abort('failed')
        running = null
        tellError(error)
        throw error
      }
      if (id && !view.isClosed()) view.show(pageOf(id, view.mode))
      void outcome.then((news) => finish(view, id ?? undefined, news))
    }

    async function redirect({ enabled = true } = {}, promise) {
      const redirectURL = pageOf(await idOf(promise), '').href
      if (!enabled) return { redirectURL }
      location.assign(redirectURL)
    }

    async function idOf(promise) {
      const given = promise ? (await promise)?.[kind.idName] : options[kind.idName]
      if (typeof given !== 'string' || given === '') throw failure('ERR_INVALID_ID', `There is no ${kind.idName}.`)
      return given
    }

    function pageOf(id, mode) {
      const page = new URL(kind.page, base)
      page.searchParams.set(kind.parameter, id)
      if (mode) page.searchParams.set('mode', mode)
      return page
    }

    async function finish(view, id, { outcome, payerId }) {
      view.close()
      running = null
      if (outcome === 'approved') return approve(id, payerId)
      if (outcome !== 'canceled') return
      options.onCancel?.(id ? { [kind.idName]: id } : {})
      options.onComplete?.({ paymentSessionState: 'canceled' })
    }

    async function approve(id, payerId) {
      try {
        await options.onApprove?.({ [kind.idName]: id, fundingSource, ...(payerId && { payerId }) })
      } catch (error) {
        return tellError(error)
      }
      options.onComplete?.({ paymentSessionState: 'approved' })
    }

    function tellError(error) {
      options.onError?.(error)
      options.onComplete?.({ paymentSessionState: 'error' })
    }

    const returned = () => new URLSearchParams(location.search)
    return {
      start,
      hasReturned: () => returned().has('token') && returned().has('PayerID'),
      resume: () => approve(returned().get('token'), returned().get('PayerID')),
      cancel: () => running?.stopper.abort('canceled'),
      destroy: () => {
        isDestroyed = true
        running?.stopper.abort('destroyed')
      },
    }
  }

  const PAYMENT = { idName: 'orderId', page: 'checkoutnow', parameter: 'token' }
  const SAVING = { idName: 'vaultSetupToken', page: 'agreements/approve', parameter: 'approval_session_id' }

  // --- the instance

  const eligibility = () => ({
    isEligible: (method) => method === 'paypal',
    getDetails: (method) => (method === 'paypal' ? { canBeVaulted: true } : undefined),
  })

  async function createInstance({ clientToken, clientId, components } = {}) {
    if (Boolean(clientToken) === Boolean(clientId)) {
      throw failure('ERR_INVALID_OPTIONS', 'Give either a clientToken or a clientId.')
    }
    if (!Array.isArray(components) || components.length === 0) {
      throw failure('ERR_INVALID_OPTIONS', 'Name the components, such as paypal-payments.')
    }
    const body = new URLSearchParams(clientToken ? { clientToken } : { clientId })
    const response = await fetch(new URL('web-sdk/v6/instances', base), { method: 'POST', body })
    if (!response.ok) throw failure('ERR_INVALID_CLIENT_TOKEN', 'The client token is not valid, or it has expired.')
    return {
      findEligibleMethods: async () => eligibility(),
      hydrateEligibleMethods: eligibility,
      updateLocale() {},
      ...(components.includes('paypal-payments') && {
        createPayPalOneTimePaymentSession: (options) => createSession(PAYMENT, 'paypal', options),
        createPayLaterOneTimePaymentSession: (options) => createSession(PAYMENT, 'paylater', options),
        createPayPalCreditOneTimePaymentSession: (options) => createSession(PAYMENT, 'credit', options),
        createPayPalSavePaymentSession: (options) => createSession(SAVING, 'paypal', options),
        createPayPalCreditSavePaymentSession: (options) => createSession(SAVING, 'credit', options),
      }),
    }
  }

  window.paypal = { ...window.paypal, version: '6.0.0-sandbox', createInstance }
})()
