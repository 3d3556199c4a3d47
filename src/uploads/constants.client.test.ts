import { expect, test } from 'vitest'
// @ts-expect-error the file has no types
import { Options } from 'exifr/dist/mini.esm.mjs'

// No browser test can show this constant of the specification: the uploader reads only the orientation of a picture,
// which is in the first 40,000 bytes. e2e/uploaderTable.spec.ts tests the other constants.

test('reads at most five chunks of 64 KB of metadata', () =>
  expect(new Options()).toMatchObject({ chunkSize: 64 * 1024, chunkLimit: 5 }))
