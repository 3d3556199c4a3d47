import { kindOf, type KnownKind } from '../../monitoring/errors/known.rules.ts'

// Explains known classes of errors without a language model: the usual cause and the fix.

export type KnownClass = { kind: string; text: string }

const TEXTS: Record<KnownKind, string> = {
  'Chunk load':
    'A part of the page could not be loaded. Mostly a new release replaced it while the page was open, or the connection broke. The page loads it again by itself; many of them at once point to files missing on the server.',
  'Content security policy':
    'The browser blocked something that the policy of the shop does not allow. Mostly it is an extension of the browser. If the address belongs to a payment provider, its host is missing in the policy.',
  Hydration:
    'The page of the server and the first drawing of the browser differ. Look for dates, random values and stored choices that the server cannot know. Extensions that change the page cause it too.',
  'Storage quota':
    'The device has no room left for what the page wants to keep. The page works without it; files kept for offline use may be missing.',
  Payment:
    'Something failed around a payment. The order says what the provider answered, and the reconciler asks it again each minute; nothing is delivered without a confirmed capture.',
  Network:
    'A request got no answer: the device was offline, the connection broke, or the server was away. Compare the time with System Status. A single report says little.',
  'Missing value':
    'The code read a value that was not there. The first frame of our source names the place. Mostly an answer lacked a field, or a list was empty.',
}

/** Returns null for an unknown class of errors. */
export function explainLocally(error: { message: string; type?: string | null }): KnownClass | null {
  const kind = kindOf(error)
  return kind && { kind, text: TEXTS[kind] }
}
