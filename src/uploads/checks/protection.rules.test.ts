import { expect, test } from 'vitest'
import { isProtected } from './protection.rules.ts'

const encrypted = (...algorithms: string[]) =>
  `<encryption xmlns:enc="x">${algorithms.map((name) => `<enc:EncryptedData><enc:EncryptionMethod Algorithm='${name}'/></enc:EncryptedData>`).join('')}</encryption>`
const FONT = 'http://www.idpf.org/2008/embedding'
const AES = 'http://www.w3.org/2001/04/xmlenc#aes256-cbc'

test.each([
  ['no encrypted file', encrypted(), false],
  ['obscured fonts', encrypted(FONT, 'http://ns.adobe.com/pdf/enc#RC'), false],
  ['an encrypted chapter', encrypted(AES), true],
  ['an encrypted chapter after a font', encrypted(FONT, AES), true],
  ['a method without a name', '<EncryptionMethod/>', true],
  ['the default namespace', `<EncryptedData>\n<EncryptionMethod\n Algorithm = "${AES}" /></EncryptedData>`, true],
  ['no markup', 'EncryptionMethod', false],
])('detects copy protection of a book with %s', (_, xml, expected) => expect(isProtected(xml)).toBe(expected))
