const COOKIE = /(?:^|; )zone=([^;~]+)~([^;]*)/

/** Minutes to UTC now, in winter and in summer. */
const offsets = () => {
  const year = new Date().getFullYear()
  return [new Date(), new Date(year, 0), new Date(year, 6)].map((date) => date.getTimezoneOffset()).join('~')
}

/**
 * The time zone of this place. inline/firstPaint.js keeps it in a cookie with its offsets, because the browser needs 20 ms
 * or more to name it. A place with other offsets is another one.
 */
export function ownZone(): string {
  const [, zone, kept] = COOKIE.exec(document.cookie) ?? []
  return zone && kept === offsets() ? zone : Intl.DateTimeFormat().resolvedOptions().timeZone
}
