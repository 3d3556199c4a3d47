// The parts of a code: a number, and on many cards a PIN and a serial number. A missing part is empty. Pure.

export type CodeParts = { code: string; pin: string; serial: string }

/** A list refuses control characters, so no part holds the separator. */
const SEPARATOR = '\u001f'

/** Joins the parts to one text for encryption. A code without other parts is the text itself. */
export const packParts = ({ code, pin, serial }: CodeParts): string =>
  pin === '' && serial === '' ? code : [code, pin, serial].join(SEPARATOR)

export function unpackParts(text: string): CodeParts {
  const [code = '', pin = '', serial = ''] = text.split(SEPARATOR)
  return { code, pin, serial }
}
