import { ROOMS } from '../src/kit/schema/rooms.ts'
import { readSources, importsOf, roomOf, type Source } from './house.ts'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const PICTURE = join(import.meta.dirname, '../docs/rooms.svg')

const CELL = 26
const LABEL = 120
const HEAD = 108

export function drawRooms(sources: Source[]): string {
  const arrows = new Set(
    sources.flatMap((source) =>
      importsOf(source)
        .filter((target) => target.startsWith('src/'))
        .map((target) => `${roomOf(source.file)} ${roomOf(target)}`),
    ),
  )
  const width = LABEL + ROOMS.length * CELL + 12
  const height = HEAD + ROOMS.length * CELL + 12
  const rows = ROOMS.flatMap((room, y) => {
    const middle = HEAD + y * CELL + CELL / 2
    const dots = ROOMS.flatMap((target, x) => {
      const isOwn = room === target
      if (!isOwn && !arrows.has(`${room} ${target}`)) return []
      const at = `x="${LABEL + x * CELL + 8}" y="${middle - 5}" width="10" height="10"`
      return [`<rect ${at} class="${isOwn ? 'own' : 'dot'}" rx="${isOwn ? 1 : 5}"/>`]
    })
    return [
      `<path class="line" d="M${LABEL} ${middle}H${width - 12}"/>`,
      `<text x="${LABEL - 12}" y="${middle + 4}" text-anchor="end">${room}</text>`,
      `<text transform="translate(${LABEL + y * CELL + 17} ${HEAD - 10}) rotate(-60)">${room}</text>`,
      ...dots,
    ]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    '<title>Which room imports from which: every dot stands left of the diagonal</title>',
    '<style>text{font:13px system-ui,sans-serif;fill:#1b2140}.line{stroke:#8a93b833}.dot{fill:#3457d5}.own{fill:#8a93b8}',
    '@media(prefers-color-scheme:dark){text{fill:#e6e9f8}.dot{fill:#8ea6ff}}</style>',
    ...rows,
    '</svg>\n',
  ].join('\n')
}

if (import.meta.main) writeFileSync(PICTURE, drawRooms(readSources()))
