// Matches file names in a book. Archive and package file may use different Unicode forms, case or encodings.

const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'
/** Encodings that East Asian and Windows machines use in archives that do not declare UTF-8. */
const LOCAL = ['shift_jis', 'gbk', 'big5', 'euc-kr', 'windows-1252', 'windows-1251', 'ibm866']

/** Decodes a name in every encoding, the most probable first. Undefined if an encoding does not fit. */
export function readNames(bytes: Uint8Array, isUtf8: boolean): (string | undefined)[] {
  const utf8 = decode(bytes, 'utf-8')
  if (isUtf8 || bytes.every((byte) => byte < 0x80)) return [utf8 ?? new TextDecoder().decode(bytes)]
  const dos = String.fromCodePoint(...[...bytes].map((byte) => (byte < 0x80 ? byte : CP437.codePointAt(byte - 0x80)!)))
  const local = LOCAL.map((label) => decode(bytes, label))
  return [utf8, dos, ...local]
}

function decode(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const composed = (name: string) => name.replaceAll('\\', '/').normalize('NFC')
const folded = (name: string) => composed(name).toLowerCase()

/** Finds a file by its exact name, then by a name that differs in case. Of several matches the first one counts. */
export function indexNames<T>(files: { names: (string | undefined)[]; file: T }[]): (name: string) => T | undefined {
  const [exact, caseless] = [new Map<string, T>(), new Map<string, T>()]
  const most = Math.max(0, ...files.map(({ names }) => names.length))
  // a probable encoding of one name takes precedence over an improbable one of another
  for (let i = 0; i < most; i++)
    for (const { names, file } of files) {
      const name = names[i]
      if (name === undefined) continue
      if (!exact.has(composed(name))) exact.set(composed(name), file)
      if (!caseless.has(folded(name))) caseless.set(folded(name), file)
    }
  return (name) => exact.get(composed(name)) ?? caseless.get(folded(name))
}
