// Wraps right-to-left parts of a text in Unicode isolates. Otherwise numbers and punctuation after them would move.

const RTL = String.raw`\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}`
const HAS_RTL = new RegExp(`[${RTL}]`, 'u')
/** An isolate, a quoted title, or the text from the first right-to-left letter of a line to the last. */
const PARTS = new RegExp(`\u2068[^\u2068\u2069]*\u2069|“([^“”]*)”|[${RTL}](?:[^“”\u2068\\n]*[${RTL}])?`, 'gu')
const HAS_LTR = /[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\d]/u

function isolate(part: string, title: string | undefined): string {
  if (part.includes('\u2068') || !HAS_RTL.test(part)) return part
  return title === undefined ? `\u2068${part}\u2069` : `“\u2068${title}\u2069”`
}

export function isolateRtl(text: string): string {
  if (!HAS_RTL.test(text) || !HAS_LTR.test(text)) return text
  return text.replace(PARTS, isolate)
}
