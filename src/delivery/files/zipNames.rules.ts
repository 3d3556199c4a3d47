/** Reserved device names. Windows cannot unpack them with any extension. */
const DEVICE = /^(?=(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])(?:\.|$))/i

const plainName = (name: string) =>
  name
    .replace(/[\\/:*?"<>|\p{Cc}]/gu, '_')
    .replace(/[. ]$/, '_')
    .replace(/^\.+_?$/, '_')
    .replace(DEVICE, '_')

/** Returns unique ZIP paths for systems that ignore case: 'a.pdf', 'A (2).pdf'. */
export function nameEntries(files: { folder?: string; fileName: string }[]): string[] {
  const taken = new Set<string>()
  return files.map(({ folder = '', fileName }) => {
    const name = plainName(fileName)
    const dot = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length
    for (let count = 1; ; count++) {
      const path = folder + name.slice(0, dot) + (count > 1 ? ` (${count})` : '') + name.slice(dot)
      if (taken.has(path.toLowerCase())) continue
      taken.add(path.toLowerCase())
      return path
    }
  })
}
