/** Where an EPUB lists its encrypted files. */
export const ENCRYPTION_PATH = 'META-INF/encryption.xml'

/** Both only obscure fonts, and any reader may undo them: no protection of the text. */
const FONTS = ['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC']

/** True when files of the book are encrypted (DRM), by its encryption.xml. */
export const isProtected = (encryption: string): boolean =>
  encryption
    .split('<')
    .slice(1)
    .filter((tag) => /^(\w+:)?EncryptionMethod\b/.test(tag))
    .some((tag) => !FONTS.includes(/Algorithm\s*=\s*["']([^"']*)/.exec(tag)?.[1]?.trim() ?? ''))
