// MathML formulas. Only elements and attributes of these lists reach the page.

export const MATH_TAGS = [
  ...['math', 'mrow', 'mi', 'mn', 'mo', 'ms', 'mtext', 'mspace', 'mfrac', 'msqrt', 'mroot', 'msub', 'msup', 'msubsup'],
  ...['munder', 'mover', 'munderover', 'mmultiscripts', 'mprescripts', 'mtable', 'mtr', 'mtd', 'mpadded', 'mphantom'],
  ...['mstyle', 'merror', 'semantics'],
] as const

const ATTRIBUTES = [
  ...['display', 'displaystyle', 'scriptlevel', 'mathvariant', 'stretchy', 'symmetric', 'largeop', 'movablelimits'],
  ...['form', 'fence', 'separator', 'lspace', 'rspace', 'minsize', 'maxsize', 'accent', 'accentunder', 'linethickness'],
  ...['width', 'height', 'depth', 'voffset', 'columnspan', 'rowspan'],
]

export function mathAttributes(element: Element): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of ATTRIBUTES) {
    const value = element.getAttribute(name)
    if (value !== null && /^[\w.%+-]{1,20}$/.test(value)) found[name] = value
  }
  return found
}
