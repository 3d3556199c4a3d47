export type KnownKind =
  'Chunk load' | 'Content security policy' | 'Hydration' | 'Storage quota' | 'Payment' | 'Network' | 'Missing value'

const PATTERNS: [RegExp, KnownKind][] = [
  [/loading (?:css )?chunk|dynamically imported module|importing a module script failed|module script/i, 'Chunk load'],
  [
    /content security policy|violates the following|refused to (?:load|execute|connect|frame)|csp/i,
    'Content security policy',
  ],
  [/hydrat|did not match|minified react error #(?:418|419|421|422|423|425)/i, 'Hydration'],
  [/quota|exceeded the storage|storage is full|NS_ERROR_DOM_QUOTA/i, 'Storage quota'],
  // first, because such a message may contain a field name that matches a later pattern
  [
    /is undefined|of (?:undefined|null)|is not a function|is not iterable|is not an object|nothing was rendered/i,
    'Missing value',
  ],
  [/payment|paypal|stripe|capture|checkout|card was declined/i, 'Payment'],
  [/network|failed to fetch|load failed|fetch|err_internet|timeout|timed out|connection|offline|5\d\d:/i, 'Network'],
]

type Thrown = { name?: string; message: string; type?: string | null }

export function kindOf({ name = '', message, type }: Thrown): KnownKind | null {
  // browser faults have clear names: 'NetworkError', 'QuotaExceededError'
  const text = `${name} ${message}`
  return PATTERNS.find(([pattern]) => pattern.test(text))?.[1] ?? (type === 'network' ? 'Network' : null)
}

export const ADVICE: Record<KnownKind, string> = {
  'Chunk load': 'A part of the page did not load. Refresh the page to get its newest version.',
  'Content security policy': 'The browser blocked something on this page, mostly an extension. Try without extensions.',
  Hydration: 'Something changed the page while it opened, mostly an extension. Refresh the page.',
  'Storage quota': 'This device has no room left. Free some space, then refresh the page.',
  Payment: 'Something failed around a payment. Your orders say if it went through.',
  Network: 'The store could not be reached. Check your connection, then try again.',
  'Missing value': 'The page got an answer that it could not read. Nothing that you saved is lost.',
}
