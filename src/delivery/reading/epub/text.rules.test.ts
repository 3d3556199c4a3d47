import { expect, test } from 'vitest'
import { decodeText } from './text.rules.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
const XML = (encoding: string, text: string) => `<?xml version="1.0" encoding="${encoding}"?><p>${text}</p>`

test.each<[what: string, bytes: Uint8Array, text: string]>([
  ['UTF-8', Buffer.from('<p>café</p>'), '<p>café</p>'],
  ['UTF-8 with a mark', Buffer.from('\ufeff<p>café</p>'), '<p>café</p>'],
  ['UTF-16 with a mark', Buffer.from('\ufeff<p>café</p>', 'utf16le'), '<p>café</p>'],
  ['UTF-16 with a mark of the other order', utf16be('\ufeff<p>café</p>'), '<p>café</p>'],
  ['UTF-16 without a mark', Buffer.from('<?xml?>é', 'utf16le'), '<?xml?>é'],
  ['UTF-16 of the other order without a mark', utf16be('<?xml?>é'), '<?xml?>é'],
  ['a declared ISO-8859-1', latin(XML('ISO-8859-1', 'café')), XML('ISO-8859-1', 'café')],
  ['a declared windows-1251', latin(XML('windows-1251', '\xcc')), XML('windows-1251', 'М')],
  ['a declaration in HTML', latin('<meta charset="windows-1252">\x93'), '<meta charset="windows-1252">“'],
  ['UTF-8 that declares UTF-16', Buffer.from(XML('UTF-16', 'café')), XML('UTF-16', 'café')],
  ['UTF-8 with an unknown declaration', Buffer.from(XML('x-none', 'café')), XML('x-none', 'café')],
  ['undeclared bytes that are no UTF-8', latin('caf\xe9'), 'café'],
  ['nothing', new Uint8Array(), ''],
])('decodes %s', (_, bytes, text) => expect(decodeText(bytes)).toBe(text))
