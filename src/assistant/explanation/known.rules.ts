// What the shop knows of an error without asking anyone: the class of its message, what it usually means, and what helps.

export type KnownClass = { kind: string; text: string }

const CLASSES: { kind: string; pattern: RegExp; text: string }[] = [
  {
    kind: 'Chunk load',
    pattern: /loading (?:css )?chunk|dynamically imported module|importing a module script failed|module script/i,
    text: 'A part of the page could not be loaded. Mostly a new release replaced it while the page was open, or the connection broke. The page loads it again by itself; many of them at once point to files missing on the server.',
  },
  {
    kind: 'Content security policy',
    pattern: /content security policy|violates the following|refused to (?:load|execute|connect|frame)|csp/i,
    text: 'The browser blocked something that the policy of the shop does not allow. Mostly it is an extension of the browser. If the address belongs to a payment provider, its host is missing in the policy.',
  },
  {
    kind: 'Hydration',
    pattern: /hydrat|did not match|minified react error #(?:418|419|421|422|423|425)/i,
    text: 'The page of the server and the first drawing of the browser differ. Look for dates, random values and stored choices that the server cannot know. Extensions that change the page cause it too.',
  },
  {
    kind: 'Storage quota',
    pattern: /quota|exceeded the storage|storage is full|NS_ERROR_DOM_QUOTA/i,
    text: 'The device has no room left for what the page wants to keep. The page works without it; files kept for offline use may be missing.',
  },
  {
    kind: 'Payment',
    pattern: /payment|paypal|stripe|capture|checkout|card was declined/i,
    text: 'Something failed around a payment. The order says what the provider answered, and the reconciler asks it again each minute; nothing is delivered without a confirmed capture.',
  },
  {
    kind: 'Network',
    pattern: /network|failed to fetch|load failed|fetch|err_internet|timeout|timed out|connection|offline|5\d\d:/i,
    text: 'A request got no answer: the device was offline, the connection broke, or the server was away. Compare the time with System Status. A single report says little.',
  },
  {
    kind: 'Missing value',
    pattern: /undefined|null \(reading|is not a function|is not iterable|cannot read|of null|is not an object/i,
    text: 'The code read a value that was not there. The first frame of our source names the place. Mostly an answer lacked a field, or a list was empty.',
  },
]

/** Null for an error of no known class. */
export function explainLocally({ message, type }: { message: string; type?: string | null }): KnownClass | null {
  const found = CLASSES.find(({ pattern }) => pattern.test(message))
  if (found) return { kind: found.kind, text: found.text }
  const network = CLASSES.find(({ kind }) => kind === 'Network')!
  return type === 'network' ? { kind: network.kind, text: network.text } : null
}
