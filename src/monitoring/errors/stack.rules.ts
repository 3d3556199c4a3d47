/** One frame of a stack. `file` is a URL or, once mapped, a path in the repository. */
export type Frame = { name: string; file: string; line: number; column: number }

const MAX_FRAMES = 30
// Chromium: '    at name (file:1:2)' or '    at file:1:2'; Firefox and Safari: 'name@file:1:2'
const CHROMIUM = /^\s*at (?:async )?(?:(.{1,200}?) \()?(\S{1,300}?):(\d{1,7}):(\d{1,7})\)?$/
const OTHERS = /^([^@\s]{0,200})@(\S{1,300}?):(\d{1,7}):(\d{1,7})$/

export function parseStack(stack: string): Frame[] {
  const frames: Frame[] = []
  for (const text of stack.split('\n')) {
    const found = text.length < 700 && (CHROMIUM.exec(text) ?? OTHERS.exec(text))
    if (!found) continue
    frames.push({ name: found[1] ?? '', file: found[2]!, line: Number(found[3]), column: Number(found[4]) })
    if (frames.length === MAX_FRAMES) break
  }
  return frames
}

/** Writes one line per frame: 'loadCart (src/cart/useCart.ts:44:10)'. Drops host and query of a URL. */
export const writeStack = (frames: Frame[]): string =>
  frames
    .map(({ name, file, line, column }) => `${name || '(anonymous)'} (${pathOf(file)}:${line}:${column})`)
    .join('\n')

const pathOf = (file: string) => file.replace(/^\w+:\/\/[^/]*/, '')

export const ownFrame = (frames: Frame[]): Frame | undefined => frames.find(({ file }) => file.startsWith('src/'))

/**
 * Returns the key that groups reports: type, message without numbers, file names and quoted values, and the shop's file
 * that failed. Excludes lines and minified names, because they change with every release.
 */
export function describeCause({ type, message, frames }: { type: string; message: string; frames: Frame[] }): string {
  const plain = message
    .replace(/(\/assets\/[\w-]+)-[\w-]{8}\.(js|css)/g, '$1.$2')
    .replace(/\d+/g, '0')
    .replace(/\[(?:id|secret|number|address|e-mail)\]/g, '0')
  return [type, plain, ownFrame(frames)?.file ?? ''].join('\n')
}
