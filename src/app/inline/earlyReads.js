// Runs inline in the head of the app: requests the first page's data while its script loads.
;(() => {
  // Collects errors until the monitor has loaded.
  const caught = (window.caught = [])
  for (const kind of ['error', 'unhandledrejection'])
    addEventListener(
      kind,
      (event) => (window.caught !== caught || caught.length < 50) && window.caught.push(event),
      true,
    )

  const [, page, id] = location.pathname.split('/')
  const pages = {
    '': ['/api/categories', '/api/products?limit=3'],
    categories: ['/api/categories', '/api/products?limit=200'],
    product: [`/api/products/${id}`],
    cart: ['/api/cart'],
    orders: ['/api/orders?limit=50'],
    profile: ['/api/orders/summary'],
  }
  window.earlyReads = {}
  for (const path of ['/api/auth/user', ...(pages[page] || [])]) {
    const read = fetch(path)
    read.catch(() => {})
    window.earlyReads[path] = read
  }
  for (const href of PAGE_SCRIPTS[page] || [])
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href }))
})()
