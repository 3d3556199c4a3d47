export const COMMON = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-resource-policy': 'same-origin',
}

export const JSON_HEADERS = {
  ...COMMON,
  'content-type': 'application/json; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

export const PERSONAL = 'private, no-store'

/** Returns the headers of an HTML page. `scripts`, `connects` and `frames` are allowed in addition to 'self'. */
export function pageHeaders({
  scripts = [],
  connects = [],
  frames = [],
  isTls = false,
  mayBeFramed = false,
}: {
  scripts?: string[]
  connects?: string[]
  frames?: string[]
  isTls?: boolean
  mayBeFramed?: boolean
}): Record<string, string> {
  const list = (...values: string[]) => values.join(' ')
  const policy = [
    "default-src 'none'",
    `script-src ${list("'self'", ...scripts)}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    `connect-src ${list("'self'", ...connects)}`,
    `frame-src ${frames.length > 0 ? list(...frames) : "'none'"}`,
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "form-action 'self'",
    `frame-ancestors ${mayBeFramed ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "object-src 'none'",
    ...(isTls ? ['upgrade-insecure-requests'] : []),
  ]
  return {
    ...COMMON,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'x-frame-options': mayBeFramed ? 'SAMEORIGIN' : 'DENY',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy':
      'camera=(self), microphone=(self), payment=(self), geolocation=(), usb=(), serial=(), hid=(), midi=()',
  }
}
