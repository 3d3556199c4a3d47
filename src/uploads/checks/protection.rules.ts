export const ENCRYPTION_PATH = 'META-INF/encryption.xml'

/** These algorithms only obfuscate fonts, which any reader can decode. They do not protect the text. */
const FONTS = ['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC']

export const isProtected = (encryption: string): boolean =>
  encryption
    .split('<')
    .slice(1)
    .filter((tag) => /^(\w+:)?EncryptionMethod\b/.test(tag))
    .some((tag) => !FONTS.includes(/Algorithm\s*=\s*["']([^"']*)/.exec(tag)?.[1]?.trim() ?? ''))
