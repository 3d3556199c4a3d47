import { createHash } from 'node:crypto'
import { books } from './books.ts'
import { courses } from './courses.ts'
import { epub } from './epub.ts'
import type { FileKind, Good, Section } from './good.ts'
import { guides } from './guides.ts'
import { coinLedger } from './ledger.ts'
import { guidePdf, voucherPdf } from './paper.ts'
import { software } from './software.ts'
import { sounds, type Voice } from './sounds.ts'
import { wav } from './wav.ts'
import { zip } from './zip.ts'

export type GoodFile = { fileName: string; contentType: string; bytes: Buffer }

const contentTypes: Record<FileKind, string> = {
  pdf: 'application/pdf',
  epub: 'application/epub+zip',
  wav: 'audio/wav',
  zip: 'application/zip',
}

const sectionsOf = new Map([...books, ...guides, ...courses].map(({ slug, sections }) => [slug, sections]))
const worksheetOf = new Map(courses.map(({ slug, worksheet }) => [slug, worksheet]))
const programOf = new Map([...software, coinLedger].map(({ slug, files }) => [slug, files]))
const soundOf = new Map(sounds.map((sound) => [sound.slug, sound]))

/** What the buyer of a good downloads. The same good gives the same bytes, today and next year. */
export function makeFile(good: Good): GoodFile {
  return { fileName: `${good.slug}.${good.file}`, contentType: contentTypes[good.file], bytes: bytesOf(good) }
}

function bytesOf(good: Good) {
  const sections = sectionsOf.get(good.slug)
  if (good.file === 'pdf') return sections ? guidePdf(good, sections) : voucherPdf(good)
  if (good.file === 'epub') return epub(good, sections ?? fillerSections(good))
  if (good.file === 'wav') return wav(soundOf.get(good.slug) ?? fillerSound(good.slug))
  return zip(packageOf(good, sections))
}

/** A README in front, then the program's own files, or the lessons and the worksheet. */
function packageOf({ slug, title, description }: Good, sections?: Section[]) {
  const program = programOf.get(slug)
  const files = program
    ? Object.entries(program)
    : [
        ...(sections ?? fillerSections({ title, description })).map(({ heading, paragraphs }, i): [string, string] => [
          `lessons/${i + 1}-${heading
            .toLowerCase()
            .replace(/[^a-z0-9]+/g, '-')
            .replace(/-$/, '')}.md`,
          `# ${heading}\n\n${paragraphs.join('\n\n')}\n`,
        ]),
        ['worksheet.csv', `${(worksheetOf.get(slug) ?? ['what,when,done', ',,']).join('\n')}\n`] as [string, string],
      ]
  const readme = `${title}\n${'='.repeat(title.length)}\n\n${description}\n\nIn this package:\n${files.map(([path]) => `  ${path}\n`).join('')}
You may use these files in your own work, private or paid. You may not sell them as they are.\n`
  return [['README.txt', readme] as [string, string], ...files]
}

/** Goods made up for load tests carry a text that says so. */
function fillerSections({ title, description }: Pick<Good, 'title' | 'description'>): Section[] {
  return [
    {
      heading: 'What this is',
      paragraphs: [`${title} is one of many goods that fill the shelves of a demo store.`, description],
    },
    {
      heading: 'What it is for',
      paragraphs: [
        'A shop shows how fast it is only when it is full. This file is real enough to be bought, delivered and opened, which is all that it has to do.',
      ],
    },
  ]
}

function fillerSound(slug: string) {
  const seed = createHash('sha256').update(`sound ${slug}`).digest()
  const voice = (['bell', 'pluck', 'wood', 'pad'] satisfies Voice[])[seed[0]! % 4]!
  return {
    slug,
    voice,
    seconds: 2 + (seed[1]! % 2),
    root: 220 * 2 ** ((seed[2]! % 12) / 12),
    scale: [0, 2, 4, 7, 9, 12],
    pace: 4,
  }
}
