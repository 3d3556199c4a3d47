const ACCEPTED = {
  br: /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
  gzip: /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
}

/** Returns true if a header `Accept-Encoding` lists the coding with a weight above 0 (RFC 9110, 12.5.3). */
export const accepts = (header: string | undefined, coding: keyof typeof ACCEPTED) =>
  ACCEPTED[coding].test(header ?? '')
