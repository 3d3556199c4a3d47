/** A line of a stack. `file` is an address or, once mapped, a path of the repository. */
export type Frame = { name: string; file: string; line: number; column: number }

const MOST_FRAMES = 30
// Chromium: '    at name (file:1:2)' or '    at file:1:2'; Firefox and Safari: 'name@file:1:2'
const CHROMIUM = /^\s*at (?:async )?(?:(.{1,200}?) \()?(\S{1,300}?):(\d{1,7}):(\d{1,7})\)?$/
const OTHERS = /^([^@\s]{0,200})@(\S{1,300}?):(\d{1,7}):(\d{1,7})$/

/** Reads the frames of a stack as any browser writes it, the innermost first. Other lines are passed over. */
export function parseStack(stack: string): Frame[] {
  const frames: Frame[] = []
  for (const text of stack.split('\n')) {
    const found = text.length < 700 && (CHROMIUM.exec(text) ?? OTHERS.exec(text))
    if (!found) continue
    frames.push({ name: found[1] ?? '', file: found[2]!, line: Number(found[3]), column: Number(found[4]) })
    if (frames.length === MOST_FRAMES) break
  }
  return frames
}

/** 'loadCart (src/cart/useCart.ts:44:10)', one line a frame; of an address the path alone is kept. */
export const writeStack = (frames: Frame[]): string =>
  frames
    .map(({ name, file, line, column }) => `${name || '(anonymous)'} (${pathOf(file)}:${line}:${column})`)
    .join('\n')

const pathOf = (file: string) => file.replace(/^\w+:\/\/[^/]*/, '')

/** The innermost frame of our own source, or nothing. */
export const ownFrame = (frames: Frame[]): Frame | undefined => frames.find(({ file }) => file.startsWith('src/'))

/**
 * What makes two reports one: kind, message without its numbers, names of built files and quoted values, and the file
 * of ours that failed. Lines and short names change with every release and do not count.
 */
export function describeCause({ type, message, frames }: { type: string; message: string; frames: Frame[] }): string {
  const plain = message
    .replace(/(\/assets\/[\w-]+)-[\w-]{8}\.(js|css)/g, '$1.$2')
    .replace(/\d+/g, '0')
    .replace(/\[(?:id|secret|number|address|e-mail)\]/g, '0')
  return [type, plain, ownFrame(frames)?.file ?? ''].join('\n')
}
