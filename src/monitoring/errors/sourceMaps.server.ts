import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { log } from '../../kit/log/log.server.ts'
import type { Frame } from './stack.rules.ts'
import { dropOldest } from '../../kit/values/dropOldest.ts'

// Maps frames of built scripts to the source. The maps are never public.

const MAX_OPEN = 6
/** Maximum scripts per report. A stack with more is not from this shop. */
const MAX_SCRIPTS = 6
const SCRIPT = /\/assets\/([\w-]+(?:\.[\w-]+)*\.js)$/

export function openSourceMaps(folder: string) {
  const maps = new Map<string, TraceMap>()

  async function mapOf(script: string): Promise<TraceMap | null> {
    const map = maps.get(script) ?? (await readMap(join(folder, `${script}.map`)))
    if (!map) return null
    // re-inserting puts recently used maps last in the eviction order
    maps.delete(script)
    maps.set(script, map)
    if (maps.size > MAX_OPEN) dropOldest(maps)
    return map
  }

  /** Maps frames to the source. Frames without a map, such as those of an older release, do not change. */
  return async (frames: Frame[]): Promise<Frame[]> => {
    const scripts = new Set(frames.map(scriptOf).filter((script) => script !== undefined))
    const asked = new Map<string | undefined, TraceMap | null>()
    for (const script of [...scripts].slice(0, MAX_SCRIPTS)) asked.set(script, await mapOf(script))
    return frames.map((frame) => {
      const map = asked.get(scriptOf(frame))
      return map ? lead(frame, map) : frame
    })
  }
}

const scriptOf = ({ file }: Frame): string | undefined => SCRIPT.exec(file)?.[1]

function lead(frame: Frame, map: TraceMap): Frame {
  const found = originalPositionFor(map, { line: Math.max(frame.line, 1), column: Math.max(frame.column - 1, 0) })
  if (found.source === null) return frame
  const file = found.source.replace(/^(\.\.\/)+/, '')
  return { name: found.name ?? frame.name, file, line: found.line, column: found.column + 1 }
}

async function readMap(file: string): Promise<TraceMap | null> {
  try {
    return new TraceMap(await readFile(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') log.warn('a source map could not be read', { error })
    return null
  }
}
