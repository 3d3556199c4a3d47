import { getDocument, OPS, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect, test } from 'vitest'
import { readTaggedPdf } from '../../../test/taggedPdf.ts'
import { drawPdf } from './drawing.server.ts'
import type { Part } from './paper.server.ts'
import { PRINTED_SCRIPTS } from './scripts.rules.ts'

const NAMES: Record<string, string> = {
  Latin: 'Công ty Müller & Söhne',
  Greek: 'Εταιρεία Αθήνα',
  Cyrillic: 'ООО «Ромашка», Київ',
  Armenian: 'ՍՊԸ Երևան',
  Georgian: 'შპს თბილისი',
  Hebrew: 'חברת הספרים בע״מ',
  Arabic: 'شركة الكتب المحدودة',
  Han: '北京创新科技有限公司 臺灣數位股份有限公司',
  Hiragana: 'さくら書店',
  Katakana: '株式会社テスト',
  Bopomofo: 'ㄅㄆㄇ書店',
  Hangul: '주식회사 테스트 서울특별시',
  Thai: 'บริษัท ทดสอบ จำกัด กรุงเทพมหานคร',
  Devanagari: 'हिंदी प्रकाशन क्षत्रिय लिमिटेड',
  Bengali: 'বাংলা প্রকাশনী কোলকাতা',
  Tamil: 'தமிழ் நூல் கொழும்பு நிறுவனம்',
  Telugu: 'తెలుగు ప్రచురణ సంస్థ శ్రీ',
}

const paragraph = (text: string): Part => ({ kind: 'paragraph', text, isMuted: false, isAboutUnknown: false })
const draw = (...parts: Part[]) =>
  drawPdf({
    title: 'T',
    author: 'A',
    createdAt: new Date(0),
    parts: [{ kind: 'heading', level: 1, text: 'T' }, ...parts],
  })

type Piece = { text: string; x: number; y: number; width: number }

async function read(bytes: Uint8Array): Promise<{ text: string; pieces: Piece[] }> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS })
  const page = await (await task.promise).getPage(1)
  const { items } = await page.getTextContent()
  await task.destroy()
  const pieces = items.flatMap((item) =>
    'str' in item ? [{ text: item.str, x: item.transform[4], y: item.transform[5], width: item.width }] : [],
  )
  return { text: pieces.map(({ text }) => text).join(''), pieces }
}

/** Returns each call that draws text on the first page, with its letters from left to right. */
async function readShown(bytes: Uint8Array): Promise<{ letters: string; x: number }[]> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS })
  const page = await (await task.promise).getPage(1)
  const { fnArray, argsArray } = await page.getOperatorList()
  await task.destroy()
  let x = 0
  return fnArray.flatMap((operator, i) => {
    if (operator === OPS.setTextMatrix) x = (argsArray[i] as [Record<number, number>])[0][4] ?? 0
    if (operator !== OPS.showText) return []
    const [glyphs] = argsArray[i] as [(number | { unicode: string })[]]
    return [{ letters: glyphs.map((glyph) => (typeof glyph === 'number' ? '' : glyph.unicode)).join(''), x }]
  })
}

// removes zero-width spaces, which represent glyphs without a letter
const plain = (text: string) => text.replaceAll('\u200b', '').replaceAll(/\s/g, '').normalize('NFC')

test('tests a name in every supported script', () => {
  expect(Object.keys(NAMES).toSorted()).toEqual([...PRINTED_SCRIPTS].toSorted())
})

test.each(Object.entries({ ...NAMES, Urdu: 'کمپنی لاہور ہے', Persian: 'شرکت نرم‌افزار می‌خواهم' }))(
  'draws a name in %s so that copied text is unchanged',
  async (_, name) => {
    const bytes = await draw(paragraph(name), {
      kind: 'table',
      columns: [{ name: 'Item' }],
      rows: [{ cells: [{ text: name, small: name }], isStrong: true }],
    })
    const { text } = await read(bytes)
    expect(text).not.toContain('?')
    const words = plain(text)
    for (const word of name.replaceAll('\u200c', '').split(' '))
      expect(words.replaceAll('\u200c', '').split(plain(word))).toHaveLength(4)
    expect(readTaggedPdf(Buffer.from(bytes)).problems).toEqual([])
  },
)

test('draws the same bytes for the same parts', async () => {
  const parts = Object.values(NAMES).map(paragraph)
  const first = await draw(...parts)
  expect(Buffer.from(await draw(...parts)).equals(Buffer.from(first))).toBe(true)
})

test.each([
  ['between Chinese letters', '北京市朝阳区建国门外大街一号'.repeat(8)],
  ['between Thai words', 'ถนนสุขุมวิทกรุงเทพมหานคร'.repeat(8)],
  ['between Hebrew words', 'רחוב הרצל תל אביב '.repeat(8)],
  ['inside a word that is too long', 'Donaudampfschifffahrt'.repeat(12)],
])('breaks lines %s to fit the width', async (_, address) => {
  const { text, pieces } = await read(await draw(paragraph(address)))
  for (const { x, width } of pieces) {
    expect(x).toBeGreaterThanOrEqual(55.9)
    expect(x + width).toBeLessThanOrEqual(595.28 - 55.9)
  }
  expect(new Set(pieces.slice(1, -1).map(({ y }) => y)).size).toBeGreaterThan(1)
  expect(plain(text)).toContain(plain(address).slice(0, 12))
})

test.each([
  ['שלום PDF 123', ['PDF 123', ' םולש']],
  ['Sold by שלום (123), Ada', ['Sold by ', ')', '123', '( םולש', ', Ada']],
])('draws the parts of %j in their visual order', async (text, expected) => {
  const shown = (await readShown(await draw(paragraph(text)))).slice(1, -1)
  expect(shown.toSorted((one, other) => one.x - other.x).map(({ letters }) => letters)).toEqual(expected)
})

test('aligns a right-to-left paragraph to the right', async () => {
  const { pieces } = await read(await draw(paragraph('שלום PDF 123')))
  const [line] = pieces.filter(({ text }) => text.includes('PDF'))
  expect((line?.x ?? 0) + (line?.width ?? 0)).toBeCloseTo(595.28 - 56, 0)
})

test('prints the note about missing letters only when no font has a letter', async () => {
  const note: Part = { kind: 'paragraph', text: 'Some letters are missing.', isMuted: true, isAboutUnknown: true }
  expect((await read(await draw(paragraph('東京'), note))).text).not.toContain('missing')
  expect((await read(await draw(paragraph('𐎀𐎁'), note))).text).toContain('??Some letters are missing.')
})
