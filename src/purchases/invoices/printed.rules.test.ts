import { expect, test } from 'vitest'
import { readTaggedPdf } from '../../../test/taggedPdf.ts'
import { makePdf } from '../../kit/pdf/paper.server.ts'
import { unprinted } from './printed.rules.ts'

test.each([
  ['Müller & Söhne, Straße 1–2', null],
  ['Łódź Đà Nẵng', null],
  ['Αθήνα', null],
  ['ООО «Ромашка», Київ', null],
  ['Երևան', null],
  ['თბილისი', null],
  ['Tokyo 東京都千代田区1-1', null],
  ['株式会社テスト', null],
  ['서울', null],
  ['مكتبة', null],
  ['ספרים', null],
  ['हिंदी', null],
  ['বাংলা', null],
  ['தமிழ்', null],
  ['తెలుగు', null],
  ['กรุงเทพ', null],
  ['Cakes 🍰', '🍰'],
  ['𠮷野', '𠮷'],
  ['ភ្នំពេញ', 'ភ្នំពេញ'],
  ['አዲስ አበባ', 'አዲስ'],
])('finds in %j the letters %j that a document cannot print', async (text, letters) => {
  expect(unprinted('', text)).toBe(letters)
  const bytes = await makePdf({ account: null, title: 'T', author: 'A', createdAt: new Date(0) }, (paper) => {
    paper.paragraph(text)
    paper.noteUnknownLetters('Some letters are missing.')
  })
  expect(readTaggedPdf(Buffer.from(bytes)).text.join(' ').includes('missing')).toBe(letters !== null)
})
