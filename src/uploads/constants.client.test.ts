import { expect, test } from 'vitest'
// @ts-expect-error the file has no types
import { Options } from 'exifr/dist/mini.esm.mjs'

// The constant of the specification that no picture in a page can show: the uploader searches for the turn of a picture only, and
// that search ends with its first piece of 40,000 bytes. e2e/uploaderTable.spec.ts shows the others.

test('the reader of metadata takes at most five pieces of 64 KB', () =>
  expect(new Options()).toMatchObject({ chunkSize: 64 * 1024, chunkLimit: 5 }))
