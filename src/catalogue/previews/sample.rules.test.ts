import { expect, test } from 'vitest'
import { actionOf, extentOf, describeCut } from './sample.rules.ts'

const uploaded = { alt: 'Two poems', shown: null, whole: null }

test.each([
  [{ kind: 'pdf', alt: 'A', shown: 12, whole: 248 }, 'Look inside', 'The first 12 of 248 pages'],
  [{ kind: 'pdf', ...uploaded }, 'Look inside', 'Two poems'],
  [{ kind: 'epub', alt: 'A', shown: 1, whole: 3 }, 'Read a sample', 'The first of 3 chapters'],
  [{ kind: 'audio', alt: 'A', shown: 60, whole: 11_400 }, 'Play the first minute', 'Of 190 min'],
  [{ kind: 'audio', alt: 'A', shown: 2, whole: 5 }, 'Play the first 2 seconds', 'Of 5 s'],
  [{ kind: 'audio', alt: 'A', shown: 1, whole: 62 }, 'Play the first second', 'Of 1 min 2 s'],
  [{ kind: 'audio', ...uploaded }, 'Play a sample', 'Two poems'],
  [{ kind: 'video', ...uploaded }, 'Watch a sample', 'Two poems'],
] as const)('names the action of %o', (sample, action, extent) => {
  expect([actionOf(sample), extentOf(sample)]).toEqual([action, extent])
})

test.each([
  ['pdf', 2, 10, 20, 'The first 2 of 10 pages, 20 % of the pages.'],
  ['epub', 1, 3, 36, 'The first of 3 chapters, 36 % of the text.'],
  ['audio', 60, 200, 30, 'The first 60 of 200 seconds, 30 % of the recording.'],
] as const)('describes a cut of a %s before the seller agrees to it', (kind, shown, whole, percent, text) => {
  expect(describeCut({ kind, shown, whole, percent })).toBe(text)
})
