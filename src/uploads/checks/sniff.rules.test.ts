import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sniff } from './sniff.rules.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

test.each([
  ['\x89PNG\r\n\x1a\n....', 'image/png', 'png'],
  ['\xff\xd8\xff\xe0', 'image/jpeg', 'jpg'],
  ['GIF87a', 'image/gif', 'gif'],
  ['GIF89a', 'image/gif', 'gif'],
  ['RIFF....WEBPVP8 ', 'image/webp', 'webp'],
  ['\0\0\0\x1cftypavif', 'image/avif', 'avif'],
  ['%PDF-1.7', 'application/pdf', 'pdf'],
  [`PK\x03\x04${'.'.repeat(26)}mimetypeapplication/epub+zip`, 'application/epub+zip', 'epub'],
  ['PK\x03\x04....', 'application/zip', 'zip'],
  ['PK\x05\x06....', 'application/zip', 'zip'],
  ['\x1f\x8b\x08\0', 'application/gzip', 'gz'],
  ['ID3\x04', 'audio/mpeg', 'mp3'],
  ['\xff\xfb\x90', 'audio/mpeg', 'mp3'],
  ['RIFF....WAVEfmt ', 'audio/wav', 'wav'],
  ['OggS', 'audio/ogg', 'ogg'],
  ['fLaC', 'audio/flac', 'flac'],
  ['\0\0\0\x20ftypM4A ', 'audio/mp4', 'm4a'],
  ['\0\0\0\x20ftypisom', 'video/mp4', 'mp4'],
  ['\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm', 'video/webm', 'webm'],
  ['\x1aE\xdf\xa3\x9fB\x82\x88matroska', 'application/octet-stream', 'bin'],
  ['Dear diary', 'text/plain', 'txt'],
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'text/plain', 'txt'],
  ['<!doctype html><script>1</script>', 'text/plain', 'txt'],
  ['with a \0 in it', 'application/octet-stream', 'bin'],
  ['\xff\xfe\x00A', 'application/octet-stream', 'bin'],
  ['RIFF\0...AVI ', 'application/octet-stream', 'bin'],
])('recognises %j as %s', (head, contentType, extension) => {
  expect(sniff(bytes(head), true)).toEqual({ contentType, extension })
})

test('recognises a text that ends within a character', () => {
  const text = Buffer.from('a café')
  expect(sniff(text.subarray(0, -1)).contentType).toBe('text/plain')
  expect(sniff(text.subarray(0, -1), true).contentType).toBe('application/octet-stream')
})

test('returns a type for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.boolean(), (head, isWhole) => {
      expect(sniff(head, isWhole).contentType).toMatch(/^[a-z]+\/[a-z+-]+$/)
    }),
  )
})
