// Isolates parts of a text that are written from right to left, so that numbers and signs after them stay in their place.

/** Hebrew, Arabic and their neighbours, with the forms for presentation. */
const RTL = String.raw`\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}`
const HAS_RTL = new RegExp(`[${RTL}]`, 'u')
/** An isolate, a quoted title, or the text from the first letter to the last. */
const PARTS = new RegExp(`\u2068[^\u2068\u2069]*\u2069|“([^“”]*)”|[${RTL}](?:[^“”\u2068\\n]*[${RTL}])?`, 'gu')
/** Letters and digits that are read from left to right. */
const HAS_LTR = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d]/u

function isolate(part: string, title: string | undefined): string {
  if (part.includes('\u2068') || !HAS_RTL.test(part)) return part
  return title === undefined ? `\u2068${part}\u2069` : `“\u2068${title}\u2069”`
}

/** Returns a text that is written in one direction unchanged. */
export function isolateRtl(text: string): string {
  if (!HAS_RTL.test(text) || !HAS_LTR.test(text)) return text
  return text.replace(PARTS, isolate)
}
